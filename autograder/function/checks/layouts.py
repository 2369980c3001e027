"""Is the gradient right wherever inputs and cotangents lie in memory?

PyTorch hands over what it has: a transposed weight, every second row, and an expanded cotangent behind every
`sum()`. Part of the gradient's points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from autograder.errors import tell
from autograder.function import requests
from autograder.function.case import Arrays, Case, Look, Sample
from autograder.function.checks.state import wrong_positions
from autograder.function.inputs import constant_along_first_axis, equal_rows
from autograder.mistakes import named
from autograder.result import Finding

if TYPE_CHECKING:
    from autograder.function.answers import Layout, Pullback

CHECK = "gradient"
MISTAKE = "assumes-contiguous"
_WHAT: dict[Layout, str] = {
    "strided": "inputs and cotangents that are not contiguous, as transposing and slicing leave them",
    "expanded": "expanded inputs and cotangents, as sum() sends back",
}


def look(case: Case) -> Look:
    """Try each drawn sample on other strides, and once with rows that are one row in memory."""
    *drawn, _ = case.samples
    tried: list[tuple[Layout, Sample, Arrays]] = [
        ("strided", sample, case.random_cotangents(sample)) for sample in drawn
    ]
    tried += [("expanded", sample, _equal_rows(case.random_cotangents(sample))) for sample in _expanded(case)]
    questions = [
        requests.vjp(sample.arguments, sample.all_required, given, layout=layout)
        for layout, sample, given in tried
    ]

    def read(answers: Sequence[Pullback]) -> Iterator[Finding]:
        for (layout, sample, given), answer in zip(tried, answers, strict=True):
            if "error" in answer:
                yield named(MISTAKE, CHECK, None, f"For {_WHAT[layout]}: {tell(answer['error'])}")
                return
            if case.exercise.observe is not None:
                continue  # what forward draws may depend on how x lies in memory
            truths = sample.truth.vjp(sample.all_required, given)
            for position in wrong_positions(case, answer["gradients"], truths):
                told = f"The gradient for {case.name(position)} is wrong for {_WHAT[layout]}."
                yield named(MISTAKE, CHECK, case.name(position), told)
                return

    return Look(questions, read)


def _expanded(case: Case) -> Iterator[Sample]:
    """Yield a sample with equal rows; where entries have to differ, only cotangents have them."""
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
