"""Is the gradient right, for every subset of inputs that require grad?"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from autograder.errors import StudentError, tell
from autograder.function import known_errors
from autograder.function.case import Case, Sample, Trial
from autograder.function.checks import state
from autograder.function.evidence import Evidence
from autograder.function.explain import explain
from autograder.function.numbers import arrived, close
from autograder.function.refusal import Refusal
from autograder.mistakes import named
from autograder.result import Finding

CHECK = "gradient"


def findings(case: Case) -> Iterator[Finding]:
    """Compare vector-Jacobian products for random cotangents with the truth, then ask gradcheck."""
    if case.native_autograd:
        yield named("autograd-in-backward", CHECK, None, _called(case.native_autograd[0]))
        return
    if case.evasions:
        yield hidden(CHECK, case.evasions[0])
        return
    explained: dict[str | None, Finding] = {}
    for trial in case.trials:
        for finding in _against_truth(case, trial, set(explained)):
            explained[finding.input] = finding
    if explained:
        yield from _causes_first(explained.values())
        return
    yield from _in_single_precision(case, case.trials[0])
    for sample in case.samples if case.exercise.by_gradcheck else []:
        yield from _by_gradcheck(case, sample)
    yield from state.findings(case)
    yield from _without_cotangent(case)


def _without_cotangent(case: Case) -> Iterator[Finding]:
    """Let no cotangent arrive at the one output, as where a loss does not use it: no gradient may arrive.

    Of several outputs each has been left out alone.
    """
    for sample in case.samples:
        if sum(sample.truth.flows) > 1:
            continue
        answer = case.probe.without_cotangent(sample.arguments)
        if "error" in answer:
            yield named("none-gradient-unhandled", CHECK, None, tell(answer["error"]))
        for position in answer["arrives"]:
            told = f"A gradient arrives at {case.name(position)} though no cotangent has arrived."
            yield Finding(CHECK, told, None, case.name(position))


def hidden(check: str, seen: str) -> Finding:
    """Return the finding about a gradient that may come from native autograd, out of sight."""
    told = f"The gradient may come from native autograd: {seen}."
    return named("autograd-in-backward", check, None, told)


def _called(where: str) -> str:
    return f"The gradient is left to native autograd ({where})."


def _against_truth(case: Case, trial: Trial, explained: set[str | None]) -> Iterator[Finding]:
    if "error" in trial.answer:
        if None not in explained:
            yield _error(case, trial, trial.answer["error"])
        return
    for position, truth in enumerate(trial.truths):
        if truth is None or case.name(position) in explained:
            continue
        if not arrived(trial.answer["gradients"][position], truth, case.exercise.tolerance):
            if _right_with_all_outputs(case, trial, position):
                message = f"The gradient for {case.name(position)} is wrong where an output is unused."
                yield named("none-gradient-unhandled", CHECK, case.name(position), message)
            else:
                yield explain(case, trial, position)


def _right_with_all_outputs(case: Case, trial: Trial, position: int) -> bool:
    """Return whether backward was given None for an unused output, and is right where it is used."""
    flows = trial.sample.truth.flows
    if trial.complete or all(
        given for given, flow in zip(trial.answer["arrived"], flows, strict=False) if flow
    ):
        return False
    full = (
        t for t in case.trials if t.sample is trial.sample and t.requires == trial.requires and t.complete
    )
    for other in full:
        truth = other.truths[position]
        return truth is not None and arrived(
            other.answer["gradients"][position], truth, case.exercise.tolerance
        )
    return False


def _error(case: Case, trial: Trial, error: StudentError) -> Finding:
    if "does not require grad" in error["message"] and any(i["listed"] for i in case.inspections):
        message = "forward is given tensors inside a list, so the result of apply does not require grad."
        return named("tensors-in-a-list", CHECK, None, message)
    unused = len(trial.answer["arrived"]) > sum(trial.answer["arrived"])
    if unused and error["type"] in ("TypeError", "AttributeError") and "None" in error["message"]:
        return named("none-gradient-unhandled", CHECK, None, tell(error))
    return known_errors.finding(CHECK, error, trial.answer["saves"], trial.sample)


def _causes_first(findings: Collection[Finding]) -> Iterator[Finding]:
    """Yield named findings before those that were only measured.

    Where backward raises for a known reason, what it gives in other samples says no more.
    """
    raised = [finding for finding in findings if finding.input is None and finding.mistake]
    yield from raised or sorted(findings, key=lambda finding: finding.mistake is None)


def _in_single_precision(case: Case, trial: Trial) -> Iterator[Finding]:
    cotangents = [None if c is None else c.astype(np.float32) for c in trial.cotangents]
    answer = case.probe.vjp(trial.sample.in_single_precision(), trial.requires, cotangents)
    if "error" in answer:
        yield Finding(CHECK, f"For float32 inputs, {tell(answer['error'])}")


def _by_gradcheck(case: Case, sample: Sample) -> Iterator[Finding]:
    """Ask gradcheck for a second opinion: does the gradient fit the student's own forward?

    Once a sample: every choice of inputs has been compared with the truth by now.
    """
    refusal = sample.truth.gradcheck(case.probe, sample.arguments)
    if refusal is not None:
        yield _second_opinion(case, sample, refusal)


def _second_opinion(case: Case, sample: Sample, refusal: Refusal) -> Finding:
    """Say what gradcheck has found that the comparison with the truth has not."""
    if "not reentrant" in refusal.message:
        told = "Two backward passes over the same graph give different gradients."
        return named("not-reproducible", CHECK, None, told)
    if refusal.raised:
        return Finding(CHECK, f"For slightly different inputs, {refusal.message}")
    trial = next(trial for trial in case.trials if trial.sample is sample and trial.complete)
    for position in sample.tensor_positions:
        evidence = Evidence(case, trial, position)
        if not close(evidence.observed, evidence.true):
            return explain(case, trial, position)
    told = "The gradient is right, and yet forward, for slightly different inputs, does not change with it."
    hint = "Is forward the same function at every call, and for every input?"
    return Finding(CHECK, told, None, None, hint)
