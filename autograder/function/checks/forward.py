"""Is forward the function asked for?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from autograder.errors import tell
from autograder.function import known_errors
from autograder.function.case import Case, Sample
from autograder.function.checks.numbers import close, furthest
from autograder.mistakes import named
from autograder.result import Finding

if TYPE_CHECKING:
    from autograder.function.probe import Forward

CHECK = "forward"


def findings(case: Case) -> Iterator[Finding]:
    """Compare outputs with the native forward: their number, shapes, values, and the dtype of float32."""
    for sample in case.samples:
        answer = case.probe.forward(sample.arguments)
        if "error" in answer:
            yield known_errors.finding(CHECK, answer["error"])
            return
        yield from _changed_inputs(case, answer)
        yield from _values(case, sample, answer)
        yield from _dtypes(case, sample, answer)
    yield from _single_precision(case)


def _changed_inputs(case: Case, answer: Forward) -> Iterator[Finding]:
    for position in answer["changed"]:
        yield named(
            "mutates-input", CHECK, case.name(position), f"forward writes into {case.name(position)}."
        )


def _values(case: Case, sample: Sample, answer: Forward) -> Iterator[Finding]:
    truths, outputs = sample.truth.outputs, answer["outputs"]
    wrong_number = (
        len(outputs) < len(truths) if case.exercise.further_outputs else len(outputs) != len(truths)
    )
    if answer["wrapped"] and not case.exercise.further_outputs and len(truths) == 1:
        message = "forward returns a tuple of one Tensor, so apply gives a tuple too and not a Tensor."
        yield named("forward-value", CHECK, None, message)
    if wrong_number:
        yield named(
            "forward-value",
            CHECK,
            None,
            f"forward returns {len(outputs)} outputs where {len(truths)} are asked for.",
        )
        return
    for truth, output in zip(truths, outputs, strict=False):
        where = f"for {describe(case, sample)}"
        if output.shape != truth.shape:
            yield named(
                "forward-value",
                CHECK,
                None,
                f"The output has shape {output.shape} and not {truth.shape} {where}.",
            )
        elif not close(output, truth):
            entry = furthest(output, truth)
            yield named(
                "forward-value",
                CHECK,
                None,
                f"The output differs {where}: entry {list(entry)} is {output[entry]:.6g} "
                f"and should be {truth[entry]:.6g}.",
            )


def _dtypes(case: Case, sample: Sample, answer: Forward, given: str = "float64") -> Iterator[Finding]:
    for truth, dtype in zip(sample.truth.outputs, answer["dtypes"], strict=False):
        asked = given if truth.dtype == np.float64 else str(truth.dtype)
        if dtype != asked:
            message = f"{given} inputs give an output of dtype {dtype}, and it should be {asked}."
            yield named("forward-value", CHECK, None, message)


def _single_precision(case: Case) -> Iterator[Finding]:
    sample = case.samples[0]
    answer = case.probe.forward(sample.in_single_precision())
    if "error" in answer:
        yield Finding(CHECK, f"For float32 inputs, {tell(answer['error'])}")
    yield from _dtypes(case, sample, answer, "float32")


def describe(case: Case, sample: Sample) -> str:
    """Return the arguments of a sample in short: arrays by their shape, the others by their value."""
    parts = []
    for position, argument in enumerate(sample.arguments):
        value = f"of shape {argument.shape}" if isinstance(argument, np.ndarray) else f"= {argument}"
        parts.append(f"{case.name(position)} {value}")
    return ", ".join(parts)
