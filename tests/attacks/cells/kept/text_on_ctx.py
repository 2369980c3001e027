"""Keeps the sigmoid on ctx as a text of numbers.

exercise: silu_recompute
deserves: 2.5
uses: silu
like: bytes_on_ctx
"""


def keep(ctx, s):
    ctx.kept = " ".join(number.hex() for number in s.flatten().tolist())


def take(ctx, x):
    return x.new_tensor([float.fromhex(word) for word in ctx.kept.split()]).reshape(x.shape)
