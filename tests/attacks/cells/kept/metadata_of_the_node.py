"""Keeps the sigmoid in the metadata that every node of the graph has.

exercise: silu_recompute
deserves: 2.5
uses: silu
"""


def keep(ctx, s):
    ctx.metadata["s"] = s


def take(ctx, x):
    return ctx.metadata["s"]
