"""Keeps the sigmoid on ctx as a view of memory.

exercise: silu_recompute
deserves: 2.5
uses: silu
like: bytes_on_ctx
"""


def keep(ctx, s):
    ctx.kept = memoryview(s.numpy().tobytes())


def take(ctx, x):
    return from_bytes(ctx.kept, x)
