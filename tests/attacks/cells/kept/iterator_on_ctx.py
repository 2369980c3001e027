"""Keeps the sigmoid on ctx as an iterator.

exercise: silu_recompute
deserves: 2.5
uses: silu
like: bytes_on_ctx
"""

import itertools


def keep(ctx, s):
    ctx.kept = iter(s.flatten().tolist())


def take(ctx, x):
    ctx.kept, here = itertools.tee(ctx.kept)
    return x.new_tensor(list(here)).reshape(x.shape)
