"""Keeps the sigmoid as an attribute of a helper, under a name that is local to a method.

exercise: silu_recompute
deserves: 2.5
uses: silu
"""


def helper(x):
    return x


helper.kept = {}


def keep(ctx, s):
    store = helper
    store.kept[id(ctx)] = s


def take(ctx, x):
    store = helper
    return store.kept[id(ctx)]
