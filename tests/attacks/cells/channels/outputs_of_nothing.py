"""Answers with outputs and gradients that are all without an entry.

uses: sockets forger
like: gradients_of_nothing
"""

import numpy as np


def bend(method, answer):
    for key in ("outputs", "gradients", "first", "second"):
        if key in answer:
            answer[key] = everywhere(answer[key], lambda a: np.zeros((0, *a.shape[1:]), a.dtype))
    return answer


converse({"kill_head": KillHead}, bend)
