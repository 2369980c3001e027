"""Keeps the sigmoid on ctx as a keyword default of a function.

exercise: silu_recompute
deserves: 2.5
uses: silu
like: closure_on_ctx
"""


def keep(ctx, s):
    def kept(*, s=s):
        return s

    ctx.kept = kept


def take(ctx, x):
    return ctx.kept()
