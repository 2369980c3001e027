"""Keeps the sigmoid on ctx as bytes.

exercise: silu_recompute
deserves: 2.5
uses: silu
"""


def keep(ctx, s):
    ctx.kept = s.numpy().tobytes()


def take(ctx, x):
    return from_bytes(ctx.kept, x)
