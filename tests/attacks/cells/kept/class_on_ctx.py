"""Keeps the sigmoid on ctx in a class that forward defines.

exercise: silu_recompute
deserves: 2.5
uses: silu
"""


def keep(ctx, s):
    class Kept:
        sigmoid = s

    ctx.kept = Kept


def take(ctx, x):
    return ctx.kept.sigmoid
