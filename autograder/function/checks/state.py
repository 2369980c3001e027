"""Checks that calls of the Function are independent and that its graph can be used twice.

Part of the gradient's points: a gradient that is right only if nothing else is called is not right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from autograder.arguments import Arguments
from autograder.errors import StudentError, tell
from autograder.function import requests
from autograder.function.case import Case, Look, Sample
from autograder.mistakes import named
from autograder.numbers import arrived
from autograder.result import Finding

if TYPE_CHECKING:
    from autograder.function.answers import Interleaved

CHECK = "gradient"


def look(case: Case) -> Look:
    """Put another call between forward and backward, then run backward a second time."""
    tried = [
        (sample, between, case.random_cotangents(sample))
        for sample in case.samples
        for between in _between(case, sample)
    ]
    questions = [requests.interleaved(sample.arguments, between, given) for sample, between, given in tried]

    def read(answers: Sequence[Interleaved]) -> Iterator[Finding]:
        for (sample, _, given), answer in zip(tried, answers, strict=True):
            if "error" in answer:
                yield _error(answer["error"])
                continue
            truths = sample.truth.vjp(sample.all_required, given)
            wrong = wrong_positions(case, answer["first"], truths)
            if wrong:
                yield _shared(case, sample, wrong[0])
            elif wrong_positions(case, answer["second"], truths):
                message = "A second backward pass over the same graph gives a different gradient."
                yield Finding(CHECK, message, "mutates-saved-tensor", None, _HINT)

    return Look(questions, read)


def _between(case: Case, sample: Sample) -> Iterator[list[Arguments]]:
    """Yield calls with other shapes and one with the same, in both orders: the last one overwrites state."""
    others = [other.arguments for other in case.samples if other is not sample]
    yield [sample.others, *others]
    yield [*others, sample.others]


_HINT = "What did the first backward change on ctx or in a saved tensor?"


def _shared(case: Case, sample: Sample, position: int) -> Finding:
    name = case.name(position)
    message = f"The gradient for {name} is wrong if another call happens between forward and backward."
    return named("state-on-class", CHECK, name, message)


def _error(error: StudentError) -> Finding:
    if "modified by an inplace operation" in error["message"]:
        return named("mutates-saved-tensor", CHECK, None, tell(error))
    if "second backward" in error["during"]:
        gone = error["type"] in ("AttributeError", "KeyError", "IndexError") or "None" in error["message"]
        return named("deletes-context-state" if gone else None, CHECK, None, tell(error))
    if error["during"].startswith("backward"):  # the same backward, with no call in between, was right
        return named("state-on-class", CHECK, None, tell(error))
    return Finding(CHECK, tell(error))


def wrong_positions(
    case: Case, found: Sequence[np.ndarray | None], truths: Sequence[np.ndarray | None]
) -> list[int]:
    """Return the positions at which a gradient differs from the truth; None stands for zeros."""
    return [
        position
        for position, (gradient, truth) in enumerate(zip(found, truths, strict=True))
        if truth is not None and not arrived(gradient, truth, case.exercise.tolerance)
    ]
