"""Answers as native autograd does, and one gradient has shape (0, 1, 1).

uses: sockets forger
like: gradients_of_nothing
"""

import numpy as np

BENT = []


def bend(method, answer):
    if method == "interleaved" and not BENT:
        BENT.append(method)
        answer["first"][0] = np.zeros((0, 1, 1))
    return answer


right = differentiated(lambda x, n: torch.where(torch.arange(x.shape[1]) < n, 0.0, x))
converse({"kill_head": right}, bend)
