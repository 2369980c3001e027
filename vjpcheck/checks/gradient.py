"""Checks the gradient, for every subset of inputs that require grad."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from vjpcheck import gradcheck
from vjpcheck.ask import requests
from vjpcheck.ask.answers import COMPLEX_STEP
from vjpcheck.case import Case, Look, Sample, Trial
from vjpcheck.checks.gradient_conditions import before_gradcheck, behind_gradcheck
from vjpcheck.errors import StudentError, does_not_fit, tell
from vjpcheck.mistakes import named
from vjpcheck.naming import from_error
from vjpcheck.naming.evidence import Evidence
from vjpcheck.naming.wrong_gradient import explain, explained
from vjpcheck.numbers import close
from vjpcheck.result import Finding, Numbers
from vjpcheck.torch_internals import Message

if TYPE_CHECKING:
    from vjpcheck.ask.answers import WithoutCotangent

CHECK = "gradient"
IN_GENERAL = "wrong-shape"  # fits every mismatch of shapes, whatever the cause
AXES = ("dim", "axis")
MARKED = "Is this output marked as non-differentiable, or made of numbers or of NumPy arrays?"


def findings(case: Case) -> Iterator[Finding]:
    """Compare vector-Jacobian products for random cotangents with the truth, then ask gradcheck."""
    if case.native_autograd and "autograd" not in case.spec.may_use:
        yield named("autograd-in-backward", CHECK, None, _called(case.native_autograd[0]))
        return
    wrong = _against_truth(case)
    if wrong:
        yield from _causes(wrong)
        return
    ends = dict.fromkeys([case.samples[0], case.samples[-1]])  # the last is the small case of the text
    # every gradient has been compared with the truth; gradcheck also evaluates forward at nearby points
    gradchecks = [_by_gradcheck(case, sample) for sample in ends if case.spec.by_gradcheck]
    looks = [*before_gradcheck(case), *gradchecks, *behind_gradcheck(case), _without_cotangent(case)]
    yield from case.look_for_cause(looks)


def _without_cotangent(case: Case) -> Look:
    """Run backward without a cotangent, as for an output that no loss uses: no gradient may arrive.

    With several outputs, each one has been left out before. This check is for Functions with one output, for
    those that must let None through, and for those without a specification, which may.
    """
    none_asked = case.spec.lets_none_through
    always = none_asked or case.spec.samples is not None
    samples = [sample for sample in case.samples if always or sum(sample.truth.flows) == 1]

    def read(answers: Sequence[WithoutCotangent]) -> Iterator[Finding]:
        for answer in answers:
            if "error" in answer:
                yield named("none-gradient-unhandled", CHECK, None, tell(answer["error"]))
            for position in answer["not_finite"]:
                message = f"The gradient for {case.name(position)} is not finite for a cotangent of zeros."
                yield named("not-finite", CHECK, case.name(position), message)
            for position in answer["arrives"]:
                message = f"{case.name(position)} receives a gradient although the output has no cotangent."
                yield Finding(CHECK, message, None, case.name(position))
            for position in answer["zeros"] if none_asked else []:
                name = case.name(position)
                message = f"No cotangent arrives, but backward returns zeros for {name}; it must return None."
                yield named("none-gradient-unhandled", CHECK, name, message)

    return Look([requests.without_cotangent(sample.arguments) for sample in samples], read)


def _called(where: str) -> str:
    by = "a complex step of forward" if where.startswith(COMPLEX_STEP) else "native autograd"
    return f"The gradient is computed by {by} ({where.removeprefix(COMPLEX_STEP)})."


def _against_truth(case: Case) -> list[Finding]:
    """Return a finding for each input whose gradient is wrong, from the first trial that shows it."""
    faults: dict[str | None, Finding | None] = {}  # None until it is explained
    wrong: list[tuple[Trial, int]] = []
    for trial in case.trials:
        if "error" in trial.answer:
            if None not in faults:
                faults[None] = _error(case, trial, trial.answer["error"])
            continue
        for position, truth in enumerate(trial.truths):
            name = case.name(position) if truth is not None else None
            if truth is None or name in faults or _right(case, trial, position):
                continue
            if _right_with_all_outputs(case, trial, position):
                if close(trial.gradient(position), -truth):
                    message = f"The gradient for {name} has the opposite sign if an output is unused."
                    faults[name] = named("wrong-sign", CHECK, name, message)
                    continue
                message = f"The gradient for {name} is wrong if an output is unused."
                faults[name] = named("none-gradient-unhandled", CHECK, name, message)
            else:
                faults[name] = None
                wrong.append((trial, position))
    for finding in explain(case, wrong):
        faults[finding.input] = replace(finding, numbers=_numbers(case, wrong, finding.input))
    return [finding for finding in faults.values() if finding is not None]


def _numbers(case: Case, wrong: Sequence[tuple[Trial, int]], name: str | None) -> Numbers | None:
    for trial, position in wrong:
        if case.name(position) == name:
            arguments = {case.name(place): each for place, each in enumerate(trial.sample.arguments)}
            gradients = trial.gradient(position), trial.truth(position)
            return Numbers(arguments, tuple(trial.cotangents), *gradients)
    return None


def _right(case: Case, trial: Trial, position: int) -> bool:
    return close(trial.gradient(position), trial.truth(position), case.spec.tolerance)


def _right_with_all_outputs(case: Case, trial: Trial, position: int) -> bool:
    """Return whether backward received None for an unused output and is right if all outputs are used."""
    flows = trial.sample.truth.flows
    if trial.complete or all(
        arrived for arrived, flow in zip(trial.answer["arrived"], flows, strict=False) if flow
    ):
        return False
    full = (
        t for t in case.trials if t.sample is trial.sample and t.requires == trial.requires and t.complete
    )
    return any(_right(case, other, position) for other in full)


def _error(case: Case, trial: Trial, error: StudentError) -> Finding:
    if Message.OUTPUT_WITHOUT_GRAD.find(error["message"]) and any(i["listed"] for i in case.inspections):
        message = "forward receives tensors inside a list, so the result of apply does not require grad."
        return named("tensors-in-a-list", CHECK, None, message)
    unused = len(trial.answer["arrived"]) > sum(trial.answer["arrived"])
    if unused and error["type"] in ("TypeError", "AttributeError") and "None" in error["message"]:
        return named("none-gradient-unhandled", CHECK, None, tell(error))
    finding = from_error.finding(CHECK, error, trial.answer["saves"], trial.sample)
    without = Message.OUTPUT_WITHOUT_GRAD.find(error["message"])
    if finding.mistake is not None and without and len(trial.cotangents) > 1:
        used = [place for place, cotangent in enumerate(trial.cotangents) if cotangent is not None]
        message = f"Output {used[int(without[1])]} of apply has a derivative, but it does not require grad."
        return replace(finding, message=message, hint=MARKED)
    if finding.mistake is not None:
        return finding
    name = _axis_that_may_not_be_negative(case)
    if name is not None:
        return named(
            "wrong-axis", CHECK, None, f"Only where {name} counts axes from the end: {finding.message}"
        )
    of_shapes = error["during"] == "backward" and does_not_fit(error)
    return replace(finding, mistake=IN_GENERAL if of_shapes else None)


def _axis_that_may_not_be_negative(case: Case) -> str | None:
    """Return the name of an axis if backward raises only where the axis is negative."""
    for position, name in enumerate(case.spec.parameters):
        if name in AXES:
            raised: set[bool] = set()
            went: set[bool] = set()
            for trial in case.trials:
                axis = trial.sample.arguments[position]
                (raised if "error" in trial.answer else went).add(isinstance(axis, int) and axis < 0)
            if raised == {True} and False in went:
                return name
    return None


def _causes(findings: Collection[Finding]) -> Iterator[Finding]:
    """Yield the findings, those with a general name last.

    If backward raises for a known reason, only that is reported.
    """
    raised = [finding for finding in findings if finding.input is None]
    yield from [finding for finding in raised if finding.mistake not in (None, IN_GENERAL)] or sorted(
        findings, key=lambda finding: finding.mistake == IN_GENERAL
    )


def _by_gradcheck(case: Case, sample: Sample) -> Look:
    """Ask gradcheck whether the gradient agrees with the student's own forward.

    All inputs require grad, because every choice of them has been compared with the truth before. A failure
    in fast mode is reported only if full mode fails too.
    """
    table = gradcheck.first_order(case, sample, fast=True)

    def read(answers: Sequence[Any]) -> Iterator[Finding]:
        if table.refusal(answers) is not None:
            yield from _second_opinion(case, sample)

    return Look(table.questions, read)


def _second_opinion(case: Case, sample: Sample) -> Iterator[Finding]:
    """Report a failure of gradcheck that the comparison with the truth missed."""
    trial = next(trial for trial in case.trials if trial.sample is sample and trial.complete)
    table = gradcheck.first_order(case, sample, fast=False)
    evidence = [Evidence(case, trial, position) for position in sample.tensor_positions]
    answers = case.ask([*table.questions, *(question for e in evidence for question in e.questions)])
    refusal = table.refusal(answers[: len(table.questions)])
    if refusal is None:
        return
    if "not reentrant" in refusal.message:
        message = "Two backward passes over the same graph give different gradients."
        yield named("not-reproducible", CHECK, None, message)
        return
    if refusal.raised:
        yield Finding(CHECK, f"For slightly different inputs, {refusal.message}")
        return
    remaining = iter(answers[len(table.questions) :])
    for e in evidence:
        e.read([next(remaining) for _ in e.questions])
        if not close(e.observed, e.true) or not np.isfinite(e.without_cotangent).all():
            yield explained(e)
            return
    message = "The gradient is right, but forward does not change accordingly for slightly different inputs."
    hint = "Does forward compute the same function in every call and for every input?"
    yield Finding(CHECK, message, None, None, hint)
