"""Names the mistake behind a wrong gradient: the observed Jacobian against the true one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from autograder.function.case import Case, Trial
from autograder.function.checks.numbers import close, furthest
from autograder.function.evidence import Evidence, gather, ratio
from autograder.mistakes import named
from autograder.result import Finding, Jacobians

CHECK = "gradient"


def explain(case: Case, trial: Trial, position: int, truth: np.ndarray) -> Finding:
    """Return the finding for a gradient that differs from the truth; unnamed if no name fits."""
    with np.errstate(all="ignore"):  # the work may return infinities and NaN
        evidence = gather(case, trial, position, truth)
        return replace(
            _finding(evidence), jacobians=Jacobians(evidence.observed, evidence.true, *evidence.shapes)
        )


def _finding(evidence: Evidence) -> Finding:
    for mistake, test in TESTS:
        message = test(evidence)
        if message:
            return named(mistake, CHECK, evidence.name, message)
    hint = "Work the entry out by hand for this output."
    return Finding(CHECK, _measured(evidence), None, evidence.name, hint)


def _saved_twice(e: Evidence) -> str:
    if e.saves < 2:
        return ""
    return f"save_for_backward was called {e.saves} times, and only the last call counts."


def _not_finite(e: Evidence) -> str:
    if np.isfinite(e.observed).all():
        return ""
    entry = tuple(np.argwhere(~np.isfinite(e.observed))[0])
    return f"The gradient for {e.name} is not finite: {_entry(e, entry)}"


def _not_reproducible(e: Evidence) -> str:
    return "" if e.reproducible else f"The gradient for {e.name} differs from one backward pass to the next."


def _swapped(e: Evidence) -> str:
    return f"The gradients for {e.name} and {e.swapped_with} are in each other's place." * bool(
        e.swapped_with
    )


def _missing(e: Evidence) -> str:
    return "" if e.observed.any() or e.arrives_elsewhere else f"No gradient arrives at {e.name}."


def _wrong_index(e: Evidence) -> str:
    if e.observed.any() or not e.arrives_elsewhere:
        return ""
    return f"The gradient of {e.name} goes missing when not all inputs require grad."


def _ignores_cotangent(e: Evidence) -> str:
    same = e.pullbacks[0].any() and close(*e.pullbacks)
    return f"The gradient for {e.name} is the same whatever cotangent comes in." if same else ""


def _nonlinear(e: Evidence) -> str:
    return "" if e.linear else f"The gradient for {e.name} is not linear in the cotangent."


def _sign(e: Evidence) -> str:
    return f"The gradient for {e.name} has the opposite sign." if close(e.observed, -e.true) else ""


def _mean(e: Evidence) -> str:
    """Look for a division by a number of entries, in every sample anew: a constant stays the same."""
    for found, counts in e.ratios:
        if found is None or not any(abs(found * count - 1) < 1e-6 for count in counts):
            return ""
    times = ratio(e.observed, e.true)
    return f"The gradient for {e.name} is 1/{1 / times:.4g} of the true one." if times else ""


def _factor(e: Evidence) -> str:
    times = ratio(e.observed, e.true)
    return f"The gradient for {e.name} is {times:.4g} times the true one." if times else ""


def _mask(e: Evidence) -> str:
    blocked = e.true == 0
    leaks = blocked & (e.observed != 0)
    if not leaks.any() or not close(np.where(blocked, 0, e.observed), e.true):
        return ""
    columns = leaks.any(axis=0) & (e.true == 0).all(axis=0)
    if not columns.any():
        return ""
    return f"A gradient passes to entries of {e.name} that no output depends on."


def _absolute(e: Evidence) -> str:
    return f"The gradient for {e.name} has lost its sign." if close(e.observed, np.abs(e.true)) else ""


def _measured(e: Evidence) -> str:
    return (
        f"The Jacobian for {e.name} differs from the true one in {_differing(e)} of {e.true.size} entries: "
        + _entry(e, furthest(e.observed, e.true))
    )


def _entry(e: Evidence, entry: tuple[int, ...]) -> str:
    row, column = (
        [int(i) for i in np.unravel_index(flat, shape)] for flat, shape in zip(entry, e.shapes, strict=True)
    )
    return (
        f"the derivative of output{row} by {e.name}{column} "
        f"is {e.observed[entry]:.6g} and should be {e.true[entry]:.6g}."
    )


def _differing(e: Evidence) -> int:
    return int((~np.isclose(e.observed, e.true, rtol=1e-7, atol=1e-9)).sum())


TESTS: list[tuple[str | None, Callable[[Evidence], str]]] = [
    ("saved-twice", _saved_twice),
    (None, _not_finite),
    ("wrong-needs-input-grad-index", _wrong_index),
    ("missing-gradient", _missing),
    ("missing-grad-output", _ignores_cotangent),
    ("not-reproducible", _not_reproducible),
    ("gradient-nonlinear", _nonlinear),
    ("gradients-swapped", _swapped),
    ("wrong-sign", _sign),
    ("mean-instead-of-sum", _mean),
    ("wrong-factor", _factor),
    ("missing-mask", _mask),
    (None, _absolute),
]
