"""Raises SystemExit, KeyboardInterrupt and GeneratorExit in forward and backward."""

import itertools

KINDS = itertools.cycle([SystemExit(0), KeyboardInterrupt(), GeneratorExit(), StopIteration()])


def backward(ctx, grad_output):
    raise next(KINDS)


KillHead.backward = staticmethod(backward)
