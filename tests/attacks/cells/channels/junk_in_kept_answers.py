"""Answers with names and places of ten thousand letters each, which the verdict keeps.

uses: sockets forger
"""

import numpy as np


def bend(method, answer):
    text = "x" * 10_000
    for key in ("others", "outputs_on_ctx", "captured", "kept", "cut", "functions", "detaching"):
        if isinstance(answer, dict) and key in answer:
            answer[key] = [text] * 700
    return answer


converse({"kill_head": KillHead}, bend)
