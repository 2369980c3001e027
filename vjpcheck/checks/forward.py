"""Checks that forward computes the right function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from vjpcheck.ask import requests
from vjpcheck.case import Case, Sample
from vjpcheck.checks.conditions import FLOAT32, Comparison, Test, of_lost_digits
from vjpcheck.errors import StudentError, tell
from vjpcheck.mistakes import named
from vjpcheck.naming import from_error
from vjpcheck.naming.failing_call import call
from vjpcheck.naming.precision import SOME
from vjpcheck.numbers import (
    SINGLE_PRECISION,
    close,
    close_in_proportion,
    format_distinctly,
    furthest,
    has_digits_of_float32,
)
from vjpcheck.result import Finding
from vjpcheck.truth.native import NativeTruth

if TYPE_CHECKING:
    from vjpcheck.ask.answers import Forward

CHECK = "forward"
IN_PLACE = "A method whose name ends in an underscore modifies the tensor in place."
COPY = "Who writes into one changes the other unnoticed. Return a copy, or a view that PyTorch has made."
SUBTRACTED = "Where does your code subtract two numbers that are far larger than their difference?"
SCALED = "Does your code compare its input with a number, or limit it?"


def findings(case: Case) -> Iterator[Finding]:
    """Compare the outputs with the native forward: number, shapes, values and dtypes.

    If a wrong output becomes right after a call with other shapes, the finding is about state.
    """
    faults = [*_findings(case)]
    wrong = any(finding.mistake == "forward-value" for finding in faults)
    yield from [_of_state()] if wrong and _depends_on_calls_before(case) else faults


def _depends_on_calls_before(case: Case) -> bool:
    """Return whether a wrong output is right after a call with arguments of other shapes."""
    if case.spec.observe is not None:
        return False
    others, answers = case.known.further_samples, case.first_look.further_samples
    pairs = [
        (before, other.sample)
        for other, answer in zip(others, answers, strict=True)
        if "error" not in answer and any(_values(case, other.sample, answer))
        for before in [each for each in case.samples if _shapes(each) != _shapes(other.sample)][:1]
    ]
    again = case.ask([requests.forward(sample.arguments) for pair in pairs for sample in pair])
    tried = zip(pairs, again[1::2], strict=True)
    return any(
        "error" not in answer and not any(_values(case, sample, answer)) for (_, sample), answer in tried
    )


LEFT_OUT = "An argument of apply may be left out. Which default value does forward give it?"


def _shapes(sample: Sample) -> list[tuple[int, ...]]:
    return [np.shape(a) for a in sample.arguments if isinstance(a, np.ndarray)]


def _of_state() -> Finding:
    message = "The output is wrong after another call, and right after one with arguments of other shapes."
    return named("state-on-class", CHECK, None, message)


def _findings(case: Case) -> Iterator[Finding]:
    look, other = case.first_look, False
    # the small case first: the student knows its numbers
    for sample, answer in reversed([*zip(case.samples, look.forwards, strict=True)]):
        if "error" in answer:
            yield _raised(case, sample, answer["error"])
            return
        yield from _changed_inputs(case, answer)
        yield from _shared_memory(case, answer)
        wrong = [*_values(case, sample, answer)]
        other |= any(finding.mistake == "forward-value" for finding in wrong)
        known = _known_mistake(case) if wrong else ""
        for finding in wrong:
            yield replace(finding, message=f"{finding.message} {known}".rstrip())
        yield from _dtypes(case, sample, answer, case.spec.dtypes[0])
    for (label, sample, _, hint), answer in zip(
        case.known.further_samples, look.further_samples, strict=True
    ):
        if "error" in answer:
            yield _raised_for(label, answer["error"])
            continue
        for finding in _values(case, sample, answer, label):
            yield finding if finding.mistake == "not-finite" else replace(finding, hint=hint or SCALED)
    if other:  # then digits say nothing
        return
    for answer in look.single:
        yield from _single_precision(case, answer)
    for (label, sample, *_), answer in zip(case.known.hard_in_float32, look.hard_in_float32, strict=True):
        yield from _hard_in_float32(label, sample, answer)
    if case.spec.further_outputs and case.spec.library == "torch":
        yield from _further_of_no_gradient(case)


def _known_mistake(case: Case) -> str:
    """Return the sentence about a known mistake that gives the outputs of every sample; else nothing."""
    asked = [*zip(case.samples, case.first_look.forwards, strict=True)]
    for sentence, forward in case.spec.other_forwards.items():
        if all("error" not in answer and _computes(forward, sample, answer) for sample, answer in asked):
            return sentence
    return ""


def _computes(forward: Callable[..., Any], sample: Sample, answer: Forward) -> bool:
    assert isinstance(sample.truth, NativeTruth)
    outputs = sample.truth.outputs_of(forward)
    return all(map(close, map(np.nan_to_num, answer["outputs"]), map(np.nan_to_num, outputs)))


def _raised(case: Case, sample: Sample, error: StudentError) -> Finding:
    """Return the finding for an exception, which depends on whether the Function has a setup_context."""
    finding = from_error.finding(CHECK, error)
    if finding.mistake == "setup-context-not-unpacked" and not case.declared["setup_context"]:
        return named("saved-a-non-tensor", CHECK, None, tell(error))
    lacks_one = not error["line"] and "forward() missing 1 required positional argument" in error["message"]
    if finding.mistake is None and lacks_one and case.declared["setup_context"]:
        return named("ctx-beside-setup-context", CHECK, None, tell(error))
    longest = max(len(other.arguments) for other in case.samples)
    if finding.mistake is None and lacks_one and len(sample.arguments) < longest:
        return replace(finding, message=tell(error, f"For {call(case, sample)}, "), hint=LEFT_OUT)
    return finding


def _raised_for(label: str, error: StudentError) -> Finding:
    return Finding(CHECK, tell(error, f"For {label}, "), hint=from_error.hint(error))


def _changed_inputs(case: Case, answer: Forward) -> Iterator[Finding]:
    expected = {case.spec.parameters.index(name) for name in case.spec.modifies}
    for position in set(answer["changed"]) - expected:
        yield named("mutates-input", CHECK, case.name(position), f"forward modifies {case.name(position)}.")
    for position in expected:
        yield from _in_place(case, position, position in answer["changed"])
        if position in answer["moved"]:
            name = case.name(position)
            message = f"forward gives {name} new memory, and leaves the old values in its own."
            yield Finding(CHECK, message, None, name, IN_PLACE)


def _shared_memory(case: Case, answer: Forward) -> Iterator[Finding]:
    """Warn of an output in the memory of an input, where no exercise asks for it."""
    for position in answer["shared"] if case.spec.samples is not None else ():
        name = case.name(position)
        message = f"An output shares the memory of {name}, and autograd does not know: it is no view."
        yield Finding(CHECK, message, None, name, COPY, warning=True)


def _in_place(case: Case, position: int, changed: bool) -> Iterator[Finding]:
    """Demand that an input is changed, marked as dirty and returned."""
    name, inspection = case.name(position), case.inspections[0]
    if not changed:
        message = f"forward does not change {name}; it should modify it in place."
        yield Finding(CHECK, message, None, name, IN_PLACE)
    elif position not in inspection["same_objects"] or position in inspection["inputs_returned"]:
        message = f"forward modifies {name} without declaring it by mark_dirty."
        hint = "Which method of ctx declares an input that was modified, and what must forward then return?"
        yield Finding(CHECK, message, "mutates-input", name, hint)


def _values(case: Case, sample: Sample, answer: Forward, label: str = "") -> Iterator[Finding]:
    truths, outputs = sample.truth.outputs, answer["outputs"]
    wrong_number = len(outputs) < len(truths) if case.spec.further_outputs else len(outputs) != len(truths)
    if answer["wrapped"] and not case.spec.further_outputs and len(truths) == 1:
        count = len(outputs)
        what = "a tuple of one Tensor" if count == 1 else f"{count} Tensors"
        message = f"forward returns {what}, so apply returns a tuple; it should return one Tensor."
        hint = "forward should return one tensor: a name without a comma after it."
        yield replace(named("forward-value", CHECK, None, message), hint=hint)
        return
    if wrong_number:
        expected = f"{len(truths)} output{'s' * (len(truths) != 1)}"
        message = f"forward must return {expected}; it returns {len(outputs)}."
        yield named("forward-value", CHECK, None, message)
        return
    for truth, output in zip(truths, outputs, strict=False):
        where = f"for {label or describe(case, sample)}"
        if output.shape != truth.shape:
            message = f"The output has shape {output.shape} {where}; it should be {truth.shape}."
            yield named("forward-value", CHECK, None, message)
        elif not close(output, truth, case.spec.tolerance):
            entry = furthest(output, truth)
            value, true = format_distinctly(float(output[entry]), float(truth[entry]))
            message = f"The output is wrong {where}: entry {list(entry)} is {value} and should be {true}."
            yield named(_name(case, output, truth), CHECK, None, message)


def _name(case: Case, output: np.ndarray, truth: np.ndarray) -> str:
    if not np.isfinite(output).all():
        return "not-finite"
    if has_digits_of_float32(output, truth):
        return "wrong-dtype"
    # another function would have outputs with other leading digits
    pairs = [(output, truth), *_all_outputs(case)]
    rounded = all(close_in_proportion(array, true, 10.0**-SOME) for array, true in pairs)
    return "not-precise" if rounded else "forward-value"


def _all_outputs(case: Case) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for sample, answer in zip(case.samples, case.first_look.forwards, strict=True):
        if "error" not in answer:
            yield from zip(answer["outputs"], sample.truth.outputs, strict=False)


def _dtypes(case: Case, sample: Sample, answer: Forward, input_dtype: str) -> Iterator[Finding]:
    for index, (truth, dtype) in enumerate(zip(sample.truth.outputs, answer["dtypes"], strict=False)):
        right = input_dtype if truth.dtype == np.float64 else str(truth.dtype)
        if not sample.truth.flows[index] and _requires_grad(case, index, dtype):
            yield _without_gradient(index, dtype)
        if dtype != right:
            message = f"{input_dtype} inputs give an output of dtype {dtype}; it should be {right}."
            yield named("wrong-dtype" if right.startswith("float") else "forward-value", CHECK, None, message)


def _further_of_no_gradient(case: Case) -> Iterator[Finding]:
    """Find further outputs that require grad but do not change with the inputs: an order, a mask."""
    sample, answer = case.samples[0], case.first_look.forwards[0]
    dtypes = [*enumerate(answer["dtypes"])][len(sample.truth.outputs) :]
    candidates = [(index, dtype) for index, dtype in dtypes if _requires_grad(case, index, dtype)]
    nearby = case.ask_one(requests.forward(sample.nearby())) if candidates else answer
    for index, dtype in candidates if "error" not in nearby else ():
        if np.array_equal(nearby["outputs"][index], answer["outputs"][index]):
            yield _without_gradient(index, dtype)


def _requires_grad(case: Case, index: int, dtype: str) -> bool:
    """Return whether an output requires grad: an integer never does, a float does unless it is marked."""
    requires_grad = case.inspections[0]["requires_grad"]
    return dtype.startswith(("float", "bfloat", "complex")) and requires_grad[index : index + 1] == [True]


def _without_gradient(index: int, dtype: str) -> Finding:
    message = f"Output {index} ({dtype}) has no gradient, but it requires grad."
    return named("not-marked-non-differentiable", CHECK, None, message)


def _single_precision(case: Case, answer: Forward) -> Iterator[Finding]:
    if "error" in answer:
        yield _raised_for("float32 inputs", answer["error"])
    yield from _dtypes(case, case.samples[0], answer, "float32")


def _hard_in_float32(label: str, sample: Sample, answer: Forward) -> Iterator[Finding]:
    pairs = zip(answer["outputs"], sample.truth.outputs, strict=False)
    compared = [
        Comparison("The output", output, truth) for output, truth in pairs if output.shape == truth.shape
    ]
    condition = FLOAT32._replace(
        clause=f"{FLOAT32.clause} {label}",
        mistake=lambda array, truth: (of_lost_digits(array, truth)[0], SUBTRACTED),
    )
    question = requests.forward(sample.arguments)
    yield from Test(CHECK, condition, question, lambda _: compared, SINGLE_PRECISION).findings(answer)


def describe(case: Case, sample: Sample) -> str:
    """Return a description of the arguments of a sample: arrays by shape, other arguments by value."""
    parts = []
    for position, argument in enumerate(sample.arguments):
        if isinstance(argument, np.ndarray):
            value = f"of shape {argument.shape}"
        elif isinstance(argument, Mapping):
            value = f"({', '.join(str(item) for item in argument.values())})"
        else:
            value = f"= {argument}"
        parts.append(f"{case.name(position)} {value}")
    return ", ".join(parts)
