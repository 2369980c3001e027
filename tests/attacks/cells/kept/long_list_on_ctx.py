"""Keeps the sigmoid on ctx at the end of a list of a thousand zeros.

exercise: silu_recompute
deserves: 2.5
uses: silu
like: lists_on_ctx
"""


def keep(ctx, s):
    ctx.kept = [*[0] * 1000, s]


def take(ctx, x):
    return ctx.kept[-1]
