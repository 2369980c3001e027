"""Patches the probe so that it answers with texts, numbers and nothing where arrays are asked for."""

import sys
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


def patch(thing):
    for name in ("vjp", "interleaved", "higher_vjp", "inspect"):
        setattr(thing, name, lambda *_, **__: next(KINDS))


forward = KillHead.forward


def patching(ctx, x, n):
    frame = sys._getframe()
    while frame is not None:
        probe = frame.f_locals.get("self")
        if type(probe).__name__ == "FunctionProbe":
            patch(type(probe))
        frame = frame.f_back
    return forward(ctx, x, n)


KillHead.forward = staticmethod(patching)
