"""Judges a Function: runs the checks in order and says which of them could not be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from autograder.exercise import FunctionExercise
from autograder.function.backends import backend_of
from autograder.function.case import Case
from autograder.function.checks import (
    contract,
    forward,
    frozen_inputs,
    gradient,
    mask,
    memory,
    second_order,
    third_order,
    training_loop,
    transforms,
)
from autograder.protocol import ProbeClient
from autograder.result import BACKWARD_RUNS, Finding, Outcome

Check = Callable[[Case], Iterator[Finding]]

CHECKS: dict[str, Check] = {
    "mask": mask.findings,
    "forward": forward.findings,
    "contract": contract.findings,
    "gradient": gradient.findings,
    "memory": memory.findings,
    "training loop": training_loop.findings,
    "frozen inputs": frozen_inputs.findings,
    "second order": second_order.findings,
    "third order": third_order.findings,
    **transforms.CHECKS,
}

# where derivatives are asked for that native autograd could give
DIFFERENTIATING = {"gradient", "second order", "third order"}

# what goes wrong with derivatives of backward where one of these was found in backward itself
FOLLOWING = {"second order", "third order"}
BEFORE = {"mutates-grad-output", "mutates-saved-tensor", "mutates-input", "wrong-dtype"}

# what is not reached before another check has passed, beside the gradient
AFTER = {
    "third order": {"second order"},
    "jvp": {"setup_context"},
    "vmap": {"setup_context"},
    "transforms": {"jvp", "vmap"},
    "hessian": {"second order", "transforms"},
}


def judge(exercise: FunctionExercise, probe: ProbeClient, seed: int) -> Iterator[Outcome]:
    """Yield the outcome of every check that has points, in their order.

    The contract is not reached where backward raised and never returned, the gradient not where the
    engine refused what it returned, and everything else not before the gradient is right: one mistake,
    one finding.
    """
    case = Case(exercise, probe, seed)
    passed: set[str] = set()
    mistakes: set[str | None] = set()
    for name in exercise.points:
        before = name in FOLLOWING and mistakes & BEFORE
        outcome = Outcome(name, reached=False, needed=("contract",))
        if not before or "wrong-dtype" not in before:  # what is rounded once is so in each derivative
            with backend_of(exercise.library).recording(True):
                found = _outcome(name, case, passed)
            outcome = found if not before or not found.findings else outcome
        mistakes |= {finding.mistake for finding in outcome.findings}
        passed |= {name} if outcome.passed else set()
        yield outcome


def _outcome(name: str, case: Case, passed: set[str]) -> Outcome:
    needed = _needed(name, case, passed)
    if needed:
        return Outcome(name, reached=False, needed=needed)
    findings = _distinct(CHECKS[name](case))
    if name in DIFFERENTIATING and not findings and case.hidden_autograd:
        findings = (gradient.hidden(name, case.hidden_autograd),)
    return Outcome(name, findings)


def _needed(name: str, case: Case, passed: set[str]) -> tuple[str, ...]:
    """Return what has to be right before a check can be reached; nothing where all of it is."""
    names = list(case.exercise.points)
    if name == "forward" or "forward" not in passed:  # what is checked before forward must hold for it
        before = names[: min(names.index(name), names.index("forward") + 1)]
        return tuple(earlier for earlier in before if earlier not in passed)[:1]
    returned = any(trial.answer["returned"] is not None for trial in case.trials)
    raised = any("error" in trial.answer for trial in case.trials)
    if name == "contract":
        return () if returned or not raised else (BACKWARD_RUNS,)
    if name == "gradient":
        return () if "contract" in passed or returned != raised else ("contract",)
    wanted = ["gradient", *(other for other in names if other in AFTER.get(name, set()))]
    return tuple(other for other in wanted if other not in passed)[:1]


def _distinct(findings: Iterator[Finding]) -> tuple[Finding, ...]:
    """Keep one finding a mistake, and of those without a name one an input: other samples only repeat it."""
    kept: dict[str | tuple[str | None, str], Finding] = {}
    inputs: dict[str, list[str]] = {}
    for finding in findings:
        kept.setdefault(finding.mistake or (finding.input, ""), finding)
        if finding.mistake and finding.input:
            inputs.setdefault(finding.mistake, []).append(finding.input)
    return tuple(_with_inputs(finding, inputs.get(finding.mistake or "", [])) for finding in kept.values())


def _with_inputs(finding: Finding, inputs: Sequence[str]) -> Finding:
    others = list(dict.fromkeys(name for name in inputs if name != finding.input))
    if not others or finding.mistake == "gradients-swapped":
        return finding
    return replace(finding, message=f"{finding.message} The same goes for {' and '.join(others)}.")
