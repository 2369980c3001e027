"""Answers every request with an error that backward is said to have raised.

uses: sockets forger
like: gradients_of_nothing
"""

import numpy as np


def bend(method, answer):
    error = {"type": "ValueError", "message": "right", "where": "", "stage": "backward", "line": ""}
    return {**answer, "error": error} if isinstance(answer, dict) else answer


converse({"kill_head": KillHead}, bend)
