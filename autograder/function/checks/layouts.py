"""Checks outputs and gradient for inputs and cotangents with other memory layouts.

PyTorch passes tensors as they are: a transposed weight, every second row, or the expanded cotangent behind a
`sum()`. What works in place may change a copy of such an input. Part of the gradient's points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from autograder.errors import tell
from autograder.function import requests
from autograder.function.case import Arrays, Case, Look, Sample
from autograder.function.checks.state import wrong_positions
from autograder.function.inputs import constant_along_first_axis, equal_rows
from autograder.mistakes import named
from autograder.numbers import close
from autograder.protocol import Request
from autograder.result import Finding

if TYPE_CHECKING:
    from autograder.function.answers import Forward, Layout, Pullback

CHECK = "gradient"
MISTAKE = "assumes-contiguous"
_WHAT: dict[Layout, str] = {
    "strided": "non-contiguous inputs and cotangents, as after transposing or slicing",
    "expanded": "expanded inputs and cotangents, as behind sum()",
}


def look(case: Case) -> Look:
    """Try each drawn sample with other strides, and once with rows that share the memory of one row."""
    *drawn, _ = case.samples
    tried: list[tuple[Layout, Sample, Arrays]] = [
        ("strided", sample, case.random_cotangents(sample)) for sample in drawn
    ]
    tried += [("expanded", sample, _equal_rows(case.random_cotangents(sample))) for sample in _expanded(case)]
    questions: list[Request[Any]] = [requests.forward(sample.arguments, "strided") for sample in drawn]
    questions += [
        requests.vjp(sample.arguments, sample.all_required, given, layout=layout)
        for layout, sample, given in tried
    ]

    def read(answers: Sequence[Any]) -> Iterator[Finding]:
        forwards, pullbacks = answers[: len(drawn)], answers[len(drawn) :]
        looks = [*zip(drawn, case.first_look.forwards, forwards, strict=False)]
        if any(_right(case, s, dense) and not _right(case, s, strided) for s, dense, strided in looks):
            yield named(MISTAKE, CHECK, None, f"The output is wrong for {_WHAT['strided']}.")
            return
        yield from _wrong_gradients(case, tried, pullbacks)

    return Look(questions, read)


def _right(case: Case, sample: Sample, answer: Forward) -> bool:
    """Return whether no output is wrong; an error is told of the gradient too."""
    if "error" in answer or case.exercise.observe is not None:
        return True  # random numbers drawn in forward may depend on the layout
    return all(
        output.shape == truth.shape and close(output, truth, case.exercise.tolerance)
        for truth, output in zip(sample.truth.outputs, answer["outputs"], strict=False)
    )


def _wrong_gradients(
    case: Case, tried: Sequence[tuple[Layout, Sample, Arrays]], answers: Sequence[Pullback]
) -> Iterator[Finding]:
    for (layout, sample, given), answer in zip(tried, answers, strict=True):
        if "error" in answer:
            yield named(MISTAKE, CHECK, None, tell(answer["error"], f"For {_WHAT[layout]}: "))
            return
        if case.exercise.observe is not None:
            continue  # random numbers drawn in forward may depend on the memory layout of x
        truths = sample.truth.vjp(sample.all_required, given)
        for position in wrong_positions(case, answer["gradients"], truths):
            told = f"The gradient for {case.name(position)} is wrong for {_WHAT[layout]}."
            yield named(MISTAKE, CHECK, case.name(position), told)
            return


def _expanded(case: Case) -> Iterator[Sample]:
    """Yield a sample with equal rows; if entries must differ, only the cotangents have equal rows."""
    first = case.samples[0]
    if case.exercise.observe is not None:
        return  # the truth is read off the outputs
    if case.exercise.distinct:
        yield first
        return
    arguments = tuple(constant_along_first_axis(first.arguments))
    yield Sample(arguments, first.truth.at(arguments), first.others)


def _equal_rows(cotangents: Arrays) -> Arrays:
    return [c if c is None or c.ndim == 0 else equal_rows(c) for c in cotangents]
