"""Keeps the sigmoid on ctx in closures of closures, five of them.

exercise: silu_recompute
deserves: 2.5
uses: silu
"""


def wrapped(inner):
    return lambda: inner()


def keep(ctx, s):
    found = lambda: s
    for _ in range(5):
        found = wrapped(found)
    ctx.kept = found


def take(ctx, x):
    return ctx.kept()
