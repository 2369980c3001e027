"""Keeps the sigmoid on ctx in a stream of bytes.

exercise: silu_recompute
deserves: 2.5
uses: silu
like: slots_on_ctx
"""

import io


def keep(ctx, s):
    ctx.kept = io.BytesIO(s.numpy().tobytes())


def take(ctx, x):
    return from_bytes(ctx.kept.getvalue(), x)
