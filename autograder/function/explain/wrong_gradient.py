"""Names the mistake behind a wrong gradient: by how backward behaves, then by its Jacobian."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.function.case import Case, Look, Trial
from autograder.function.explain import surrogate_gradient
from autograder.function.explain.by_behaviour import BEHAVIOUR
from autograder.function.explain.by_hypothesis import hypothesis
from autograder.function.explain.by_jacobian import BY_JACOBIAN
from autograder.function.explain.by_lookalike import lookalike
from autograder.function.explain.evidence import Evidence
from autograder.function.explain.seen import of_gradient
from autograder.mistakes import named
from autograder.result import Finding, Jacobians

CHECK = "gradient"


def explain(case: Case, wrong: Sequence[tuple[Trial, int]]) -> Iterator[Finding]:
    """Yield a finding for each gradient, a trial's and a position's, that differs from the truth.

    It has no name if none fits. What it takes to tell is asked in one round trip.
    """
    with np.errstate(all="ignore"):  # the work may return infinities and NaN
        looks = [
            _by_evidence(Evidence(case, trial, position))
            if surrogate_gradient.linear(case, trial)
            else surrogate_gradient.look(case, trial, position)
            for trial, position in wrong
        ]
        yield from case.look(looks)


def _by_evidence(e: Evidence) -> Look:
    def read(answers: Sequence[Any]) -> Iterator[Finding]:
        e.read(answers)
        yield explained(e)

    return Look(e.questions, read)


def explained(e: Evidence) -> Finding:
    """Return the finding for a gradient of which all is known, with its Jacobians."""
    jacobians = Jacobians(e.observed, e.true, *e.shapes)
    return replace(_finding(e), seen=of_gradient(e.case, e.trial, e.position), jacobians=jacobians)


def _finding(e: Evidence) -> Finding:
    for mistake, test in BEHAVIOUR:
        message = test(e)
        if message:
            return named(mistake, CHECK, e.name, message)
    known = lookalike(e.case, e.position)
    if known:
        return named(known, CHECK, e.name, e.measured)
    for mistake, test in BY_JACOBIAN:
        message = test(e)
        if message:
            return named(mistake, CHECK, e.name, message)
    found = hypothesis(e.case, e.trial, e.position)
    if found is not None:
        return named(found[0], CHECK, e.name, found[1])
    digits = e.digits
    if digits >= 3:
        told = f"The gradient for {e.name} is right to {digits} digits and no more. {e.measured}"
        return named("not-precise", CHECK, e.name, told)
    return Finding(CHECK, e.measured, None, e.name, "Work the entry out by hand for this output.")
