"""Names the mistake behind a wrong gradient: the observed Jacobian against the true one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from autograder.function.case import Case, Trial
from autograder.function.checks.numbers import close, furthest
from autograder.function.truth import basis
from autograder.mistakes import named
from autograder.result import Finding

CHECK = "gradient"


@dataclass(frozen=True)
class Evidence:
    """What was seen of one input: its Jacobian (rows are outputs), the true one, two random pullbacks.

    `arrives_alone` says whether a gradient did arrive in some other choice of inputs that require grad.
    """

    name: str
    observed: np.ndarray
    true: np.ndarray
    pullbacks: tuple[np.ndarray, np.ndarray]
    linear: bool
    arrives_elsewhere: bool
    sizes: frozenset[int]


def explain(case: Case, trial: Trial, position: int, truth: np.ndarray) -> Finding:
    """Return the finding for a gradient that differs from the truth; unnamed if no name fits."""
    evidence = _gather(case, trial, position, truth)
    for mistake, test in TESTS:
        message = test(evidence)
        if message:
            return named(mistake, CHECK, evidence.name, message)
    return Finding(
        CHECK, _measured(evidence), None, evidence.name, "Work the entry out by hand for this output."
    )


def _gather(case: Case, trial: Trial, position: int, truth: np.ndarray) -> Evidence:
    sample, probe = trial.sample, case.probe

    def pullback(cotangents: list[np.ndarray]) -> np.ndarray:
        found = probe.vjp(sample.arguments, trial.requires, cotangents)["gradients"][position]
        return np.zeros_like(truth) if found is None else found

    first = sample.truth.outputs[0]
    rest = [np.zeros_like(output) for output in sample.truth.outputs[1:]]
    observed = np.array([pullback([unit, *rest]).ravel() for unit in basis(first.shape)])
    one, two = (case.generator.standard_normal(first.shape) for _ in range(2))
    pulled = pullback([one, *rest]), pullback([two, *rest])
    combined = pullback([one - 2 * two, *rest])
    return Evidence(
        name=case.name(position),
        observed=observed,
        true=sample.truth.jacobian(position),
        pullbacks=pulled,
        linear=close(combined, pulled[0] - 2 * pulled[1]),
        arrives_elsewhere=any(
            other.sample is sample and other.answer["gradients"][position] is not None
            for other in case.trials
        ),
        sizes=frozenset(size for a in sample.arguments if isinstance(a, np.ndarray) for size in a.shape),
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


def _ratio(e: Evidence) -> float | None:
    norm = float((e.true * e.true).sum())
    ratio = float((e.observed * e.true).sum()) / norm if norm else 0.0
    return ratio if ratio and close(e.observed, ratio * e.true) else None


def _mean(e: Evidence) -> str:
    ratio = _ratio(e) or 0.0
    for size in e.sizes:
        if size > 1 and abs(ratio * size - 1) < 1e-9:
            return f"The gradient for {e.name} is 1/{size} of the true one."
    return ""


def _factor(e: Evidence) -> str:
    ratio = _ratio(e)
    return f"The gradient for {e.name} is {ratio:.4g} times the true one." if ratio else ""


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
    row, column = furthest(e.observed, e.true)
    return (
        f"The Jacobian for {e.name} differs from the true one in {_differing(e)} of {e.true.size} entries: "
        f"the derivative of output element {row} by element {column} of {e.name} "
        f"is {e.observed[row, column]:.6g} and should be {e.true[row, column]:.6g}."
    )


def _differing(e: Evidence) -> int:
    return int((~np.isclose(e.observed, e.true, rtol=1e-7, atol=1e-9)).sum())


TESTS: list[tuple[str | None, Callable[[Evidence], str]]] = [
    ("wrong-needs-input-grad-index", _wrong_index),
    ("missing-gradient", _missing),
    ("missing-grad-output", _ignores_cotangent),
    ("gradient-nonlinear", _nonlinear),
    ("wrong-sign", _sign),
    ("mean-instead-of-sum", _mean),
    ("wrong-factor", _factor),
    ("missing-mask", _mask),
    (None, _absolute),
]
