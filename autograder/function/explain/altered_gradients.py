"""Wrong gradients that are the true ones with a factor more or less, in other places, or none at all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from autograder.function.case import Case, Trial
from autograder.function.explain.hypothesis import (
    Hypothesis,
    Named,
    dependence,
    only_cotangent,
    pulled,
    replaced,
    tensors,
)

POWERS = (-1, 1, -2, 2)


def first(case: Case, trial: Trial, position: int) -> Iterator[Hypothesis]:
    """Yield the cotangent itself, the gradient of another input, and factors more or less."""
    name = case.name(position)
    told = f"The gradient for {name} is the cotangent as it came in."
    yield Hypothesis("cotangent-passed-on", told, only_cotangent)
    told = f"The cotangent goes back to each entry of {name}, and forward's derivative is missing."
    yield Hypothesis("cotangent-passed-on", told, partial(_spread, case=case, at=position))
    for other in trial.sample.tensor_positions:
        if other != position:
            told = f"The gradient for {name} is that for {case.name(other)}."
            yield Hypothesis(
                "gradient-of-another-input", told, partial(_of_another, at=position, other=other)
            )
    for factor in [*tensors(case, trial), *_numbers(case, trial)]:
        for power in POWERS:
            for absolute in (False, True) if power % 2 else (False,):
                yield _factor(name, factor, power, absolute, position)
    for factor in tensors(case, trial):
        told = f"The gradient for {name} is the cotangent times {factor.name}."
        yield Hypothesis("value-for-derivative", told, partial(_times, factor=factor))


def last(case: Case, trial: Trial, position: int) -> Iterator[Hypothesis]:
    """Yield the right numbers in other places."""
    name = case.name(position)
    if trial.truth(position).ndim == 2:
        told = f"The gradient for {name} is the transpose of the true one."
        yield Hypothesis("missing-transpose", told, lambda t: t.truth(position).T)
    told = f"The gradient for {name} has the right numbers in the wrong places."
    yield Hypothesis("wrong-order", told, partial(_in_other_places, at=position))


def _numbers(case: Case, trial: Trial) -> Iterator[Named]:
    for place, argument in enumerate(trial.sample.truth.arguments):
        if isinstance(argument, (int, float)) and not isinstance(argument, bool):
            yield Named(case.name(place), lambda t, place=place: _as_array(t, place))  # type: ignore[misc]


def _as_array(trial: Trial, place: int) -> np.ndarray | None:
    arguments = trial.sample.truth.arguments
    return np.asarray(arguments[place], dtype=float) if place < len(arguments) else None


def _factor(name: str, factor: Named, power: int, absolute: bool, at: int) -> Hypothesis:
    called = f"|{factor.name}|" if absolute else factor.name
    twice = "" if abs(power) == 1 else ", squared"
    if power < 0:
        told = f"The gradient for {name} lacks a factor: {called}{twice}."
    else:
        told = f"The gradient for {name} has a factor too many: {called}{twice}."
    mistake = "missing-factor" if power < 0 else "extra-factor"
    return Hypothesis(mistake, told, partial(_scaled, factor=factor, power=power, absolute=absolute, at=at))


def _scaled(trial: Trial, factor: Named, power: int, absolute: bool, at: int) -> np.ndarray | None:
    """Return the true gradient times a power of a tensor that has the shape of the input or of the output."""
    value, truth = factor.value(trial), trial.truth(at)
    if value is None:
        return None
    with np.errstate(all="ignore"):
        times = (np.abs(value) if absolute else value) ** float(power)
    if times.shape in ((), truth.shape):
        return truth * times
    cotangent = only_cotangent(trial)
    if cotangent is None or cotangent.shape != times.shape:
        return None
    return pulled(trial, replaced(trial, cotangent * times), at)


def _times(trial: Trial, factor: Named) -> np.ndarray | None:
    value, cotangent = factor.value(trial), only_cotangent(trial)
    return None if value is None or cotangent is None else cotangent * value


def _spread(trial: Trial, case: Case, at: int) -> np.ndarray | None:
    cotangent = only_cotangent(trial)
    if cotangent is None:
        return None
    reached = dependence(case, trial, at)
    return np.asarray(reached.T @ cotangent.ravel(), dtype=float).reshape(trial.truth(at).shape)


def _of_another(trial: Trial, at: int, other: int) -> np.ndarray | None:
    requires = [flag or place == other for place, flag in enumerate(trial.requires)]
    return trial.sample.truth.vjp(requires, trial.cotangents)[other]


def _in_other_places(trial: Trial, at: int) -> np.ndarray | None:
    """Return the student's own gradient where it has the entries of the true one, in whatever order."""
    found, truth = trial.gradient(at), trial.truth(at)
    same = np.allclose(np.sort(found, axis=None), np.sort(truth, axis=None), rtol=1e-7, atol=1e-9)
    return found if same and truth.size > 1 else None
