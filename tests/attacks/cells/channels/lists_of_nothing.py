"""Answers with lists that are all empty, and dicts without their keys.

uses: sockets forger
like: gradients_of_nothing
"""

import numpy as np


def bend(method, answer):
    return [] if isinstance(answer, list) else {key: [] for key in list(answer)[:-1]}


converse({"kill_head": KillHead}, bend)
