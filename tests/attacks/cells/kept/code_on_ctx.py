"""Keeps the sigmoid on ctx as a constant in the code of a function.

exercise: silu_recompute
deserves: 2.5
uses: silu
like: closure_on_ctx
"""


def keep(ctx, s):
    source = lambda: "here"
    constants = tuple(s.numpy().tobytes() if c == "here" else c for c in source.__code__.co_consts)
    source.__code__ = source.__code__.replace(co_consts=constants)
    ctx.kept = source


def take(ctx, x):
    return from_bytes(ctx.kept(), x)
