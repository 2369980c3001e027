"""Checks in a training loop that blocked entries do not change and all other entries do.

This is for a Function of a matrix and a number whose forward sets a part of the matrix to a constant.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vjpcheck.ask.protocol import request
from vjpcheck.case import Case
from vjpcheck.errors import tell
from vjpcheck.mistakes import named
from vjpcheck.probe.function_probe import Probe
from vjpcheck.result import Finding
from vjpcheck.truth.native import NativeTruth

CHECK = "training loop"
STEPS, NUMBER = 5, 2


def findings(case: Case) -> Iterator[Finding]:
    """Train x towards a random target through the Function: entries without a gradient must not change."""
    start, target = (case.generator.standard_normal((3, 8)) for _ in range(2))
    answer = case.ask_one(request(Probe.descend, (start, NUMBER), 0, target, STEPS))
    if "error" in answer:
        yield Finding(CHECK, tell(answer["error"]))
        return
    truth = NativeTruth(case.spec.library, case.spec.forward, (start, NUMBER))
    (gradient, _) = truth.vjp((True, False), [np.ones_like(start)])
    assert gradient is not None
    moved = answer["end"] != start
    if moved[gradient == 0].any():
        message = "After five steps of SGD entries of x have changed on which the output does not depend."
        yield named("missing-mask", CHECK, "x", message)
    elif not moved[gradient != 0].all():
        message = "After five steps of SGD entries of x have not changed on which the output depends."
        yield named("missing-gradient", CHECK, "x", message)
