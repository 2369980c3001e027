"""Keeps the sigmoid on ctx as a storage, without the tensor.

exercise: silu_recompute
deserves: 2.5
uses: silu
like: slots_on_ctx
"""


def keep(ctx, s):
    ctx.kept = s.contiguous().untyped_storage()


def take(ctx, x):
    return torch.tensor([], dtype=x.dtype).set_(ctx.kept).reshape(x.shape)
