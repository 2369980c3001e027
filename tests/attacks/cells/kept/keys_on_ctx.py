"""Keeps the sigmoid on ctx as the keys of a dict.

exercise: silu_recompute
deserves: 2.5
uses: silu
like: lists_on_ctx
"""


def keep(ctx, s):
    ctx.kept = {(place, number): None for place, number in enumerate(s.flatten().tolist())}


def take(ctx, x):
    return x.new_tensor([number for _, number in ctx.kept]).reshape(x.shape)
