"""Keeps the sigmoid on ctx in lists six deep.

exercise: silu_recompute
deserves: 2.5
uses: silu
"""


def keep(ctx, s):
    ctx.kept = [[[[[[s]]]]]]


def take(ctx, x):
    return ctx.kept[0][0][0][0][0][0]
