"""Names the mistake behind a wrong gradient, from the behaviour of backward, then from its Jacobian."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from vjpcheck.case import Case, Look, Trial
from vjpcheck.mistakes import named
from vjpcheck.naming import surrogate_gradient
from vjpcheck.naming.altered_gradients import swapped
from vjpcheck.naming.evidence import Evidence
from vjpcheck.naming.failing_call import of_gradient
from vjpcheck.naming.from_behaviour import BEHAVIOUR
from vjpcheck.naming.from_hypothesis import first_that_holds, hypothesis, lookalike
from vjpcheck.naming.from_jacobian import blocked, first_candidate, of_backward, of_last_resort
from vjpcheck.naming.precision import (
    NARROW,
    ROUNDED,
    SOME,
    kept_narrow,
    not_precise,
    right_digits,
)
from vjpcheck.result import Finding, Jacobians

CHECK = "gradient"


def explain(case: Case, wrong: Sequence[tuple[Trial, int]]) -> Iterator[Finding]:
    """Yield a finding for each wrong gradient, which is a trial and a position.

    A finding has no name if none fits. All questions share one round trip.
    """
    with np.errstate(all="ignore"):  # the work may return infinities and NaN
        looks = [_look(case, trial, position) for trial, position in wrong]
        yield from (_asked_for(case, finding) for finding in case.look(looks))


def _asked_for(case: Case, finding: Finding) -> Finding:
    """Return the finding, with a chosen gradient called 'asked for' and not 'true'."""
    if case.spec.pullback is None:
        return finding
    return replace(finding, message=finding.message.replace("the true one", "the one asked for"))


def _look(case: Case, trial: Trial, position: int) -> Look:
    if not surrogate_gradient.linear(case, trial):
        return Look([], lambda _: iter([surrogate_gradient.explained(case, trial, position)]))
    e = Evidence(case, trial, position)

    def read(answers: Sequence[Any]) -> Iterator[Finding]:
        e.read(answers)
        yield explained(e)

    return Look(e.questions, read)


def explained(e: Evidence) -> Finding:
    """Return the finding for a gradient whose evidence is complete, with its Jacobians."""
    jacobians = Jacobians(e.observed, e.true, *e.shapes)
    return replace(_finding(e), seen=of_gradient(e.case, e.trial, e.position), jacobians=jacobians)


def _finding(e: Evidence) -> Finding:
    digits = right_digits(e.case, e.position)
    # a rounded gradient is nearly linear, nearly reproducible, and 1 times the true one
    if digits >= (NARROW if kept_narrow(e.case) else ROUNDED):
        return not_precise(e.case, e.trial, e.position, digits)
    for mistake, test in BEHAVIOUR:
        message = test(e)
        if message:
            return named(mistake, CHECK, e.name, message)
    known = lookalike(e.case, e.position)
    if known:
        return named(known[0], CHECK, e.name, f"{known[1]} {e.measured}".strip())
    exchanged = swapped(e.case, e.trial, e.position)
    cause = (
        first_that_holds(exchanged, e.case, e.trial, e.position)
        or first_candidate(e.observed, e.true, of_backward(e))
        or hypothesis(e.case, e.trial, e.position)
        or first_candidate(e.observed, e.true, blocked(e))
    )
    if cause is None and digits >= SOME:
        return not_precise(e.case, e.trial, e.position, digits)
    cause = cause or first_candidate(e.observed, e.true, of_last_resort(e))
    if cause is not None:
        return named(cause[0], CHECK, e.name, cause[1])
    return Finding(CHECK, e.measured, None, e.name, "Compute this entry by hand for this output.")
