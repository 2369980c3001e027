"""Checks the gradient where two arguments are one tensor, as in x * x or self-attention.

The engine then adds what backward returns for each of them. Part of the gradient's points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from vjpcheck.ask import requests
from vjpcheck.case import Case, Look
from vjpcheck.errors import tell
from vjpcheck.mistakes import named
from vjpcheck.numbers import arrived, furthest, ratio
from vjpcheck.result import Finding

if TYPE_CHECKING:
    from vjpcheck.ask.answers import Gradients

CHECK = "gradient"
HINT = (
    "The engine adds the gradients of both arguments, whether they are one tensor or two with equal values."
)


def looks(case: Case) -> Iterator[Look]:
    """Give the Function one tensor for all arguments that have one shape in a sample."""
    if case.one_tensor_twice is None:
        return
    same, sample = case.one_tensor_twice
    requires, cotangents = sample.all_required, case.random_cotangents(sample)
    *others, last = [case.name(place) for place in same]
    names = f"{', '.join(others)} and {last}"

    def read(answers: Sequence[Gradients]) -> Iterator[Finding]:
        (answer,) = answers
        if "error" in answer:
            yield Finding(CHECK, tell(answer["error"], f"Where {names} are one tensor, "), hint=HINT)
            return
        truths = sample.truth.vjp(requires, cotangents)
        whole = np.sum([cast(np.ndarray, truths[place]) for place in same], axis=0)
        expected = [whole if place in same else truth for place, truth in enumerate(truths)]
        for place, (found, truth) in enumerate(zip(answer["gradients"], expected, strict=True)):
            if truth is not None and not arrived(found, truth, case.spec.tolerance):
                yield _finding(
                    case.name(place), names, np.zeros_like(truth) if found is None else found, truth
                )
                return

    yield Look([requests.gradients_alone(sample.arguments, requires, cotangents, same)], read)


def _finding(name: str, names: str, found: np.ndarray, truth: np.ndarray) -> Finding:
    entry, times = furthest(found, truth), ratio(found, truth)
    told = f"The gradient for {name} is wrong where {names} are one tensor: "
    told += f"entry {list(entry)} is {found[entry]:.6g} and should be {truth[entry]:.6g}"
    if times is None:
        return Finding(CHECK, f"{told}.", None, name, HINT)
    return replace(
        named("wrong-factor", CHECK, name, f"{told}, so it is {times:.4g} times the true one."), hint=HINT
    )
