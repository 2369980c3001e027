"""Patches the probe to answer with arrays of one entry, of no entry and of strides 0, which may broadcast."""

import sys

import numpy as np


def patch(thing):
    vjp = thing.vjp

    def odd(self, *arguments, _vjp=vjp, **keywords):
        answer = _vjp(self, *arguments, **keywords)
        answer["gradients"] = [np.zeros((0, 5)), None]
        return answer

    thing.vjp = odd


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
