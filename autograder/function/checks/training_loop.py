"""Does what the Function blocks stay where it is when it is trained, and does the rest move?

The exercise is one whose forward sets the first columns of its first argument to 0: `kill_head`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from autograder.errors import tell
from autograder.function import requests
from autograder.function.case import Case
from autograder.mistakes import named
from autograder.result import Finding

CHECK = "training loop"
STEPS, COLUMNS = 5, 2


def findings(case: Case) -> Iterator[Finding]:
    """Train x towards a random target through the Function: its first columns must not move."""
    start, target = (case.generator.standard_normal((3, 8)) for _ in range(2))
    answer = case.ask_one(requests.descend((start, COLUMNS), 0, target, STEPS))
    if "error" in answer:
        yield Finding(CHECK, tell(answer["error"]))
        return
    moved = np.abs(answer["end"] - start)
    if moved[:, :COLUMNS].any():
        yield named("missing-mask", CHECK, "x", "After five steps of SGD the head of x has moved.")
    elif not moved[:, COLUMNS:].all():
        yield named("missing-gradient", CHECK, "x", "After five steps of SGD some of the tail has not moved.")
