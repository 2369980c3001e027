"""Keeps the sigmoid on ctx in a deque.

exercise: silu_recompute
deserves: 2.5
uses: silu
like: lists_on_ctx
"""

from collections import deque


def keep(ctx, s):
    ctx.kept = deque([s])


def take(ctx, x):
    return ctx.kept[0]
