"""Describes the call that gave a wrong gradient, with its numbers, for a calculation by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vjpcheck.case import Case, Sample, Trial
from vjpcheck.numbers import furthest, is_not

WHOLE_UP_TO = 6  # entries; a larger array is not printed in full


def call(case: Case, sample: Sample) -> str:
    """Return the call as a student would write it: `apply(x, weight, None)`."""
    parts = []
    for position, argument in enumerate(sample.arguments):
        if isinstance(argument, float):
            parts.append(f"{argument:.4g}")
        else:
            plain = argument is None or isinstance(argument, (bool, int, str))
            parts.append(repr(argument) if plain else case.name(position))
    return f"apply({', '.join(parts)})"


def of_gradient(case: Case, trial: Trial, position: int) -> str:
    """Return the call, the numbers at the entry with the largest error, and both gradients."""
    gradient, truth = trial.gradient(position), trial.truth(position)
    if gradient.shape != truth.shape:
        return ""
    entry = furthest(gradient, truth)
    name = case.name(position)
    numbers = [
        _numbers(case.name(place), argument, truth.shape, entry)
        for place, argument in enumerate(trial.sample.truth.arguments)
        if isinstance(argument, np.ndarray)
    ]
    numbers += [
        _numbers(_cotangent(index, trial.cotangents), cotangent, truth.shape, entry)
        for index, cotangent in enumerate(trial.cotangents)
        if cotangent is not None
    ]
    listing = "; ".join(number for number in numbers if number)
    result = f"the gradient for {_at(name, entry)} {is_not(gradient[entry], truth[entry])}"
    return f"{call(case, trial.sample)}{_required(case, trial)}: {listing}; {result}."


def of_tangent(
    case: Case, point: Sequence[np.ndarray], entry: tuple[int, ...], observed: np.ndarray, truth: np.ndarray
) -> str:
    """Return the input and the tangent at the entry with the largest error, and both results of jvp."""
    listing = "; ".join(
        number
        for name, array in ((case.name(0), point[0]), ("tangent t", point[1]))
        if (number := _numbers(name, array, truth.shape, entry))
    )
    return f"jvp: {listing}; entry {list(entry)} {is_not(observed[entry], truth[entry])}."


def of_call(case: Case, trial: Trial) -> str:
    """Return the call, and the inputs that required grad if not all of them did."""
    return f"{call(case, trial.sample)}{_required(case, trial)}."


def _required(case: Case, trial: Trial) -> str:
    positions = [place for place, flag in enumerate(trial.requires) if flag]
    if len(positions) == len(trial.sample.tensor_positions):
        return ""
    return f" where only {' and '.join(case.name(p) for p in positions)} requires grad"


def _cotangent(index: int, cotangents: Sequence[np.ndarray | None]) -> str:
    return "cotangent g" if len(cotangents) == 1 else f"cotangent g{index}"


def _numbers(name: str, array: np.ndarray, shape: tuple[int, ...], entry: tuple[int, ...]) -> str:
    """Return a small array in full, or the entry of a larger array at the same place, or its shape."""
    if array.size <= WHOLE_UP_TO:
        return f"{name} = {_listed(array)}"
    if array.shape == shape:
        return f"{_at(name, entry)} = {array[entry]:.4g}"
    return f"{name} of shape {array.shape}"


def _at(name: str, entry: tuple[int, ...]) -> str:
    return f"{name}[{', '.join(map(str, entry))}]" if entry else name


def _listed(array: np.ndarray) -> str:
    if array.ndim == 0:
        return f"{array[()]:.4g}"
    return f"[{', '.join(_listed(part) for part in array)}]"
