"""Judges a Function: runs the checks in order and says which of them could not be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from autograder.function.case import Case
from autograder.function.checks import (
    contract,
    forward,
    frozen_inputs,
    gradient,
    memory,
    second_order,
    third_order,
)
from autograder.function.exercise import FunctionExercise
from autograder.result import Finding, Outcome

if TYPE_CHECKING:
    from autograder.function.probe import FunctionProbe

Check = Callable[[Case], Iterator[Finding]]

CHECKS: dict[str, Check] = {
    "forward": forward.findings,
    "contract": contract.findings,
    "gradient": gradient.findings,
    "memory": memory.findings,
    "frozen inputs": frozen_inputs.findings,
    "second order": second_order.findings,
    "third order": third_order.findings,
}

# what is not reached before another check has passed, beside the gradient
AFTER = {"third order": "second order", "hessian": "second order"}


def judge(exercise: FunctionExercise, probe: FunctionProbe, seed: int) -> Iterator[Outcome]:
    """Yield the outcome of every check that has points, in their order.

    The contract is not reached where backward raised and never returned, the gradient not where the
    engine refused what it returned, and everything else not before the gradient is right: one mistake,
    one finding.
    """
    case = Case(exercise, probe, seed)
    passed: set[str] = set()
    for name in exercise.points:
        with exercise.grad_mode():
            outcome = _outcome(name, case, passed)
        passed |= {name} if outcome.passed else set()
        yield outcome


def _outcome(name: str, case: Case, passed: set[str]) -> Outcome:
    if not _reachable(name, case, passed):
        return Outcome(name, reached=False)
    check = CHECKS.get(name) or case.exercise.extra[name]
    return Outcome(name, _distinct(check(case)))


def _reachable(name: str, case: Case, passed: set[str]) -> bool:
    names = list(case.exercise.points)
    if name == "forward" or "forward" not in passed:  # what is checked before forward must hold for it
        return passed.issuperset(names[: names.index(name)]) and names.index(name) <= names.index("forward")
    returned = any(trial.answer["returned"] is not None for trial in case.trials)
    raised = any("error" in trial.answer for trial in case.trials)
    if name == "contract":
        return returned or not raised
    if name == "gradient":
        return "contract" in passed or returned != raised
    return "gradient" in passed and AFTER.get(name, "gradient") in passed


def _distinct(findings: Iterator[Finding]) -> tuple[Finding, ...]:
    """Keep the first finding of each mistake at each input: other samples only repeat it."""
    kept: dict[tuple[str | None, str | None], Finding] = {}
    for finding in findings:
        kept.setdefault((finding.mistake, finding.input), finding)
    return tuple(kept.values())
