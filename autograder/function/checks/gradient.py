"""Is the gradient right, for every subset of inputs that require grad?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.errors import StudentError, tell
from autograder.function import gradcheck, requests
from autograder.function.case import Case, Look, Sample, Trial
from autograder.function.checks import layouts, state
from autograder.function.explain import by_error
from autograder.function.explain.evidence import Evidence
from autograder.function.explain.wrong_gradient import explain, explained
from autograder.mistakes import named
from autograder.numbers import close
from autograder.result import Finding

if TYPE_CHECKING:
    from autograder.function.answers import Pullback, WithoutCotangent

CHECK = "gradient"
_SINGLE = 1e-3  # relative: float32 has seven digits, and a formula may lose some of them


def findings(case: Case) -> Iterator[Finding]:
    """Compare vector-Jacobian products for random cotangents with the truth, then ask gradcheck."""
    if case.native_autograd and not case.exercise.autograd_allowed:
        yield named("autograd-in-backward", CHECK, None, _called(case.native_autograd[0]))
        return
    if case.evasions and not case.exercise.autograd_allowed:
        yield hidden(CHECK, case.evasions[0])
        return
    wrong = _against_truth(case)
    if wrong:
        yield from _causes_first(wrong)
        return
    gradchecks = [_by_gradcheck(case, sample) for sample in case.samples if case.exercise.by_gradcheck]
    yield from case.look(
        [
            _in_single_precision(case),
            *gradchecks,
            state.look(case),
            layouts.look(case),
            _without_cotangent(case),
        ]
    )


def _without_cotangent(case: Case) -> Look:
    """Let no cotangent arrive at the one output, as where a loss does not use it: no gradient may arrive.

    Of several outputs each has been left out alone.
    """
    samples = [sample for sample in case.samples if sum(sample.truth.flows) == 1]

    def read(answers: Sequence[WithoutCotangent]) -> Iterator[Finding]:
        for answer in answers:
            if "error" in answer:
                yield named("none-gradient-unhandled", CHECK, None, tell(answer["error"]))
            for position in answer["arrives"]:
                told = f"A gradient arrives at {case.name(position)} though no cotangent has arrived."
                yield Finding(CHECK, told, None, case.name(position))

    return Look([requests.without_cotangent(sample.arguments) for sample in samples], read)


def hidden(check: str, seen: str) -> Finding:
    """Return the finding about a gradient that may come from native autograd, out of sight."""
    told = f"The gradient may come from native autograd: {seen}."
    return named("autograd-in-backward", check, None, told)


def _called(where: str) -> str:
    return f"The gradient is left to native autograd ({where})."


def _against_truth(case: Case) -> list[Finding]:
    """Return a finding for each input whose gradient is wrong, as the first such trial shows it."""
    found: dict[str | None, Finding | None] = {}  # None until it is explained
    wrong: list[tuple[Trial, int]] = []
    for trial in case.trials:
        if "error" in trial.answer:
            if None not in found:
                found[None] = _error(case, trial, trial.answer["error"])
            continue
        for position, truth in enumerate(trial.truths):
            name = case.name(position) if truth is not None else None
            if truth is None or name in found or _right(case, trial, position):
                continue
            if _right_with_all_outputs(case, trial, position):
                message = f"The gradient for {name} is wrong where an output is unused."
                found[name] = named("none-gradient-unhandled", CHECK, name, message)
            else:
                found[name] = None
                wrong.append((trial, position))
    for finding in explain(case, wrong):
        found[finding.input] = finding
    return [finding for finding in found.values() if finding is not None]


def _right(case: Case, trial: Trial, position: int) -> bool:
    return close(trial.gradient(position), trial.truth(position), case.exercise.tolerance)


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
    return any(_right(case, other, position) for other in full)


def _error(case: Case, trial: Trial, error: StudentError) -> Finding:
    if "does not require grad" in error["message"] and any(i["listed"] for i in case.inspections):
        message = "forward is given tensors inside a list, so the result of apply does not require grad."
        return named("tensors-in-a-list", CHECK, None, message)
    unused = len(trial.answer["arrived"]) > sum(trial.answer["arrived"])
    if unused and error["type"] in ("TypeError", "AttributeError") and "None" in error["message"]:
        return named("none-gradient-unhandled", CHECK, None, tell(error))
    return by_error.finding(CHECK, error, trial.answer["saves"], trial.sample)


def _causes_first(findings: Collection[Finding]) -> Iterator[Finding]:
    """Yield named findings before those that were only measured.

    Where backward raises for a known reason, what it gives in other samples says no more.
    """
    raised = [finding for finding in findings if finding.input is None and finding.mistake]
    yield from raised or sorted(findings, key=lambda finding: finding.mistake is None)


def _in_single_precision(case: Case) -> Look:
    trial = case.trials[0]
    cotangents = [None if c is None else c.astype(np.float32) for c in trial.cotangents]
    question = requests.vjp(trial.sample.in_single_precision(), trial.requires, cotangents)

    def read(answers: Sequence[Pullback]) -> Iterator[Finding]:
        for answer in answers:
            if "error" in answer:
                mixed = "dtype" in answer["error"]["message"]
                told = f"For float32 inputs, {tell(answer['error'])}"
                yield named("wrong-dtype" if mixed else None, CHECK, None, told)
                return
            # what forward draws at random may depend on the dtype
            truths = trial.truths if case.exercise.observe is None else []
            for position, truth in enumerate(truths):
                found = answer["gradients"][position]
                if truth is not None and found is not None and not close(found, truth, _SINGLE):
                    told = f"For float32 inputs, the gradient for {case.name(position)} is wrong."
                    yield Finding(CHECK, told, None, case.name(position))

    return Look([question], read)


def _by_gradcheck(case: Case, sample: Sample) -> Look:
    """Ask gradcheck for a second opinion: does the gradient fit the student's own forward?

    Once a sample: every choice of inputs has been compared with the truth by now. What it refuses along
    random directions, it must refuse entry by entry too.
    """
    table = gradcheck.first_order(case, sample, fast=True)

    def read(answers: Sequence[Any]) -> Iterator[Finding]:
        if table.refusal(answers) is not None:
            yield from _second_opinion(case, sample)

    return Look(table.questions, read)


def _second_opinion(case: Case, sample: Sample) -> Iterator[Finding]:
    """Say what gradcheck has found that the comparison with the truth has not."""
    trial = next(trial for trial in case.trials if trial.sample is sample and trial.complete)
    table = gradcheck.first_order(case, sample, fast=False)
    evidence = [Evidence(case, trial, position) for position in sample.tensor_positions]
    answers = case.ask([*table.questions, *(question for e in evidence for question in e.questions)])
    refusal = table.refusal(answers[: len(table.questions)])
    if refusal is None:
        return
    if "not reentrant" in refusal.message:
        told = "Two backward passes over the same graph give different gradients."
        yield named("not-reproducible", CHECK, None, told)
        return
    if refusal.raised:
        yield Finding(CHECK, f"For slightly different inputs, {refusal.message}")
        return
    remaining = iter(answers[len(table.questions) :])
    for e in evidence:
        e.read([next(remaining) for _ in e.questions])
        if not close(e.observed, e.true):
            yield explained(e)
            return
    told = "The gradient is right, and yet forward, for slightly different inputs, does not change with it."
    hint = "Is forward the same function at every call, and for every input?"
    yield Finding(CHECK, told, None, None, hint)
