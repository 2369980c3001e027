"""Answers with gradients of shape (0,).

uses: sockets forger
like: gradients_of_nothing
"""

import numpy as np


def bend(method, answer):
    return changed(answer, lambda a: np.zeros(0, a.dtype))


converse({"kill_head": KillHead}, bend)
