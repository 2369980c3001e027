"""Answers with gradients of one entry, which broadcast to any shape.

uses: sockets forger
like: gradients_of_nothing
"""

import numpy as np


def bend(method, answer):
    return changed(answer, lambda a: np.zeros([1] * a.ndim, a.dtype))


converse({"kill_head": KillHead}, bend)
