"""Compares the gradient with the truth for cotangents of other sizes, and for large inputs.

A pullback is linear: no cotangent is too small or too large to count. A Function has the limits of its
formula, and no others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from autograder.errors import tell
from autograder.function import requests
from autograder.function.case import Arrays, Case, Look, Sample
from autograder.function.inputs import FAR
from autograder.numbers import RELATIVE, furthest, near
from autograder.result import Finding

if TYPE_CHECKING:
    from autograder.function.answers import Gradients

CHECK = "gradient"
SIZES = (1e-30, 1e30)
ANY_SIZE = "With which number does backward compare the cotangent? A small gradient counts as well."
LARGE = "Does your code limit its input, or the gradient, at some number?"


def looks(case: Case) -> Iterator[Look]:
    """Yield a look for each size of the cotangents, and one for large inputs.

    What iterates until its changes are small may be as wrong as the exercise tolerates, whatever the size.
    """
    trial = next(trial for trial in case.trials if trial.complete)
    for size in SIZES if case.exercise.tolerance <= RELATIVE else ():
        cotangents = [None if c is None else c * size for c in trial.cotangents]
        yield _look(case, trial.sample, cotangents, f"cotangents {size:g} times as large", _nonlinear(case))
    for sample in case.far:
        given = f"inputs {FAR:g} times as large"
        yield _look(case, sample, case.random_cotangents(sample), given, lambda f: replace(f, hint=LARGE))


def _nonlinear(case: Case) -> Callable[[Finding], Finding]:
    """Return what gives a finding its name; a gradient that is chosen by hand need not be linear."""
    mistake = "gradient-nonlinear" if case.exercise.pullback is None else None
    return lambda finding: replace(finding, mistake=mistake, hint=ANY_SIZE)


def _look(
    case: Case, sample: Sample, cotangents: Arrays, given: str, finished: Callable[[Finding], Finding]
) -> Look:
    requires, tolerance = sample.all_required, case.exercise.tolerance

    def read(answers: Sequence[Gradients]) -> Iterator[Finding]:
        for answer in answers:
            if "error" in answer:
                yield Finding(CHECK, tell(answer["error"], f"For {given}, "))
                continue
            truths = sample.truth.vjp(requires, cotangents)
            for position, (arrived, truth) in enumerate(zip(answer["gradients"], truths, strict=True)):
                if truth is None:
                    continue
                found = np.zeros_like(truth) if arrived is None else arrived
                if not near(found, truth, tolerance, tolerance * float(np.abs(truth).max(initial=0.0))):
                    yield finished(_wrong(case.name(position), given, found, truth))

    return Look([requests.gradients_alone(sample.arguments, requires, cotangents)], read)


def _wrong(name: str, given: str, found: np.ndarray, truth: np.ndarray) -> Finding:
    entry = furthest(found, truth)
    told = (
        f"The gradient for {name} is right for most numbers and wrong for {given}: "
        f"entry {list(entry)} is {found[entry]:.6g} and should be {truth[entry]:.6g}."
    )
    return Finding(CHECK, told, None, name)
