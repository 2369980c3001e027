"""Patches the probe so that it answers with texts, numbers and nothing where arrays are asked for."""
import itertools

import numpy as np

KINDS = itertools.cycle(
    [None, "right", 4.0, True, [], {}, {"error": 5}, {"error": {"type": None}}, {"gradients": "none"}, [[[1]]],
     {"outputs": [np.array(1.0)], "wrapped": 0, "dtypes": [5], "changed": [99, -1]}, {"gradients": {}, "returned": 5}]
)
for thing in object.__subclasses__():  # what was there before is hidden from gc
    if thing.__name__ == "FunctionProbe":
        for name in ("vjp", "interleaved", "second_vjp", "inspect"):
            setattr(thing, name, lambda *_, **__: next(KINDS))
