"""Patches the probe to answer with arrays of one entry, of no entry and of strides 0, which may broadcast."""
import gc

import numpy as np

for thing in gc.get_objects():
    if isinstance(thing, type) and thing.__name__ == "FunctionProbe":
        vjp = thing.vjp

        def odd(self, *arguments, _vjp=vjp, **keywords):
            answer = _vjp(self, *arguments, **keywords)
            answer["gradients"] = [np.zeros((0, 5)), None]
            return answer

        thing.vjp = odd
