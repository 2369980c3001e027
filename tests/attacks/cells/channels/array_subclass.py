"""Answers with arrays of a class of its own, whose tobytes, dtype and shape lie.

uses: probe
"""

import numpy as np


class Array(np.ndarray):
    def tobytes(self, *_):
        return b"\0" * 7

    @property
    def nbytes(self):
        return -1

    @property
    def shape(self):
        return (1 << 60, -5)


def patch(probe):
    type(probe).vjp = lambda *_, **__: {"gradients": [np.zeros((3, 5)).view(Array), None], "returned": None}


on_the_stack(patch)
