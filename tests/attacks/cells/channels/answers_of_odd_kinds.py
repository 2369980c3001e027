"""Patches the probe so that it answers with texts, numbers and nothing where arrays are asked for.

uses: probe
"""

import itertools

import numpy as np

KINDS = itertools.cycle(
    [
        None,
        "right",
        4.0,
        True,
        [],
        {},
        {"error": 5},
        {"error": {"type": None}},
        {"gradients": "none"},
        [[[1]]],
        {"outputs": [np.array(1.0)], "wrapped": 0, "dtypes": [5], "changed": [99, -1]},
        {"gradients": {}, "returned": 5},
    ]
)


def patch(probe):
    for name in ("vjp", "interleaved", "higher_vjp", "inspect"):
        setattr(type(probe), name, lambda *_, **__: next(KINDS))


on_the_stack(patch)
