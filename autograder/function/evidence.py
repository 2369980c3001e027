"""What is known of one wrong gradient: the observed Jacobian, the true one, and how backward behaves."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np

from autograder.function.case import Case, Sample, Trial
from autograder.function.checks.numbers import basis, close


@dataclass(frozen=True)
class Evidence:
    """What was seen of one input: its Jacobian (rows are outputs), the true one, two random pullbacks.

    `shapes` are those of the output and of the input, whose elements are the Jacobian's rows and columns.
    `arrives_elsewhere` says whether a gradient did arrive in some other choice of inputs that require grad,
    `swapped_with` names the input whose gradient this is (and the other way round), `ratios` gives for every
    sample how many times the true gradient this is (None if no multiple), beside the counts of entries
    that a mean could have divided by, and `saves` counts the calls of save_for_backward.
    """

    name: str
    shapes: tuple[tuple[int, ...], tuple[int, ...]]
    observed: np.ndarray
    true: np.ndarray
    pullbacks: tuple[np.ndarray, np.ndarray]
    reproducible: bool
    linear: bool
    arrives_elsewhere: bool
    swapped_with: str
    ratios: tuple[tuple[float | None, frozenset[int]], ...]
    saves: int


def gather(case: Case, trial: Trial, position: int, truth: np.ndarray) -> Evidence:
    """Ask the probe for the Jacobian and for a few random pullbacks."""
    sample, probe = trial.sample, case.probe

    def pullback(cotangents: list[np.ndarray | None]) -> np.ndarray:
        found = probe.vjp(sample.arguments, trial.requires, cotangents)["gradients"][position]
        return np.zeros_like(truth) if found is None else found

    chosen = next(index for index, cotangent in enumerate(trial.cotangents) if cotangent is not None)
    output = sample.truth.outputs[chosen]

    def of_chosen(cotangent: np.ndarray) -> np.ndarray:
        rest = [None if c is None else np.zeros_like(c) for c in trial.cotangents]
        return pullback([cotangent if index == chosen else c for index, c in enumerate(rest)])

    observed = np.array([of_chosen(unit).ravel() for unit in basis(output.shape)])
    one, two = (case.generator.standard_normal(output.shape) for _ in range(2))
    pulled = of_chosen(one), of_chosen(two)
    return Evidence(
        name=case.name(position),
        shapes=(output.shape, truth.shape),
        observed=observed,
        true=sample.truth.jacobian(position, chosen),
        pullbacks=pulled,
        reproducible=close(of_chosen(one), pulled[0]),
        linear=close(of_chosen(one - 2 * two), pulled[0] - 2 * pulled[1]),
        arrives_elsewhere=any(_arrives(other, position) for other in case.trials if other.sample is sample),
        swapped_with=_swapped_with(case, trial, position),
        ratios=tuple(_ratios(case, position)),
        saves=trial.answer["saves"],
    )


def ratio(observed: np.ndarray, true: np.ndarray) -> float | None:
    """Return k where the observed is k times the true; None where it is no such multiple, or zero."""
    norm = float((true * true).sum())
    found = float((observed * true).sum()) / norm if norm else 0.0
    return found if found and close(observed, found * true) else None


def _arrives(trial: Trial, position: int) -> bool:
    gradient = trial.answer["gradients"][position]
    return gradient is not None and bool(gradient.any())


def _swapped_with(case: Case, trial: Trial, position: int) -> str:
    truths = trial.truths
    gradients = trial.answer["gradients"]

    def is_that_of(one: int, other: int) -> bool:
        found, truth = gradients[one], truths[other]
        return found is not None and truth is not None and found.shape == truth.shape and close(found, truth)

    for other in trial.sample.tensor_positions:
        if other != position and is_that_of(position, other) and is_that_of(other, position):
            return case.name(other)
    return ""


def _ratios(case: Case, position: int) -> list[tuple[float | None, frozenset[int]]]:
    found = []
    for trial in case.trials:
        if trial.complete and position in trial.sample.tensor_positions:
            truth = trial.truths[position]
            gradient = trial.answer["gradients"][position]
            if truth is not None and truth.any():
                times = None if gradient is None else ratio(gradient, truth)
                found.append((times, _counts(trial.sample, position)))
    return found


def _counts(sample: Sample, position: int) -> frozenset[int]:
    """Return the numbers of entries that a mean could divide by: of the axes summed over, if any."""
    argument = sample.arguments[position]
    assert isinstance(argument, np.ndarray)
    summed = list((Counter(sample.truth.outputs[0].shape) - Counter(argument.shape)).elements())
    sizes = [size for size in summed if size > 1] or list(argument.shape)
    return frozenset(
        prod(chosen) for count in range(1, len(sizes) + 1) for chosen in combinations(sizes, count)
    ) - {1}
