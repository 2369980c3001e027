"""Keeps the sigmoid in the cache of a function.

exercise: silu_recompute
deserves: 2.5
uses: silu
like: store_of_the_module
"""

from functools import lru_cache

GIVEN = []


@lru_cache(maxsize=None)
def cached(number):
    return GIVEN.pop()


def keep(ctx, s):
    ctx.number = len(NUMBERS)
    NUMBERS.append(None)
    GIVEN.append(s)
    cached(ctx.number)


def take(ctx, x):
    return cached(ctx.number)


NUMBERS = []
