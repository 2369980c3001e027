"""Answers with lists nested 600 deep, which a parser reads and a copy does not.

uses: sockets forger
"""

import numpy as np


def bend(method, answer):
    deep = []
    for _ in range(600):
        deep = [deep]
    return deep


converse({"kill_head": KillHead}, bend)
