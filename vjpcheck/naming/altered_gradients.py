"""Proposes wrong gradients that are the true ones with another factor, or with entries moved."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

import numpy as np

from vjpcheck.case import Case, Trial
from vjpcheck.naming.hypothesis import (
    Hypothesis,
    Operand,
    cotangent_times,
    only_cotangent,
    pulled,
    replaced,
    spread_cotangent,
    tensors,
)
from vjpcheck.numbers import close, near

POWERS = (-1, 1, -2, 2)


def first(case: Case, trial: Trial, position: int) -> Iterator[Hypothesis]:
    """Yield the cotangent itself, the gradient of another input, and extra or missing factors."""
    name = case.name(position)
    text = f"The gradient for {name} is the unchanged cotangent."
    yield Hypothesis("cotangent-passed-on", text, only_cotangent)
    text = f"The gradient for {name} is the cotangent without the derivative of forward."
    yield Hypothesis("cotangent-passed-on", text, partial(spread_cotangent, case=case, at=position))
    for other in trial.sample.tensor_positions:
        if other != position:
            text = f"The gradient for {name} is the gradient for {case.name(other)}."
            gradient = partial(_of_another, at=position, other=other)
            yield Hypothesis("gradient-of-another-input", text, gradient)
    for factor in [*tensors(case, trial), *_numbers(case, trial)]:
        for power in POWERS:
            for absolute in (False, True) if power % 2 else (False,):
                yield _factor(name, factor, power, absolute, position)
    for factor in tensors(case, trial):
        text = f"The gradient for {name} is the cotangent times {factor.name}, not times the derivative."
        yield Hypothesis("value-for-derivative", text, partial(cotangent_times, factors=[factor]))
    for output, factor in combinations([*tensors(case, trial)][::-1], 2):
        text = f"The gradient for {name} is the cotangent times {output.name} times {factor.name}: a value "
        text += "is in the place of a derivative."
        yield Hypothesis("value-for-derivative", text, partial(cotangent_times, factors=[output, factor]))


def cut_off_cotangents(case: Case, trial: Trial, position: int) -> Iterator[Hypothesis]:
    """Yield the cotangent alone where it is above or below one of the numbers that apply receives."""
    only = f"{case.name(position)} receives the cotangent only where the cotangent itself is"
    for number in _numbers(case, trial):
        for above, side in ((True, "above"), (False, "below")):
            text = f"{only} {side} {number.name} = {number.value(trial):g}."
            yield Hypothesis("mask-on-gradient", text, partial(_cut_off, number=number, above=above))


def _cut_off(trial: Trial, number: Operand, above: bool) -> np.ndarray | None:
    threshold, cotangent = number.value(trial), only_cotangent(trial)
    if threshold is None or cotangent is None:
        return None
    return np.where((cotangent > threshold) == above, cotangent, 0)


def last(case: Case, trial: Trial, position: int) -> Iterator[Hypothesis]:
    """Yield the right numbers in other places."""
    name = case.name(position)
    if trial.truth(position).ndim == 2:
        text = f"The gradient for {name} is the transpose of the true one."
        yield Hypothesis("missing-transpose", text, lambda t: t.truth(position).T)
    text = f"The gradient for {name} has the numbers of its transpose, row after row."
    yield Hypothesis("missing-transpose", text, partial(_transpose_in_this_shape, at=position))
    text = f"The gradient for {name} has the right numbers in the wrong places."
    yield Hypothesis("wrong-order", text, partial(_in_other_places, at=position))


def _numbers(case: Case, trial: Trial) -> Iterator[Operand]:
    for place, argument in enumerate(trial.sample.truth.arguments):
        if isinstance(argument, (int, float)) and not isinstance(argument, bool):
            yield Operand(case.name(place), lambda t, place=place: _as_array(t, place))  # type: ignore[misc]


def _as_array(trial: Trial, place: int) -> np.ndarray | None:
    arguments = trial.sample.truth.arguments
    return np.asarray(arguments[place], dtype=float) if place < len(arguments) else None


def _factor(name: str, factor: Operand, power: int, absolute: bool, at: int) -> Hypothesis:
    called = f"|{factor.name}|" if absolute else factor.name
    twice = "" if abs(power) == 1 else ", squared"
    if power < 0:
        text = f"The gradient for {name} lacks the factor {called}{twice}."
    else:
        text = f"The gradient for {name} has an extra factor: {called}{twice}."
    mistake = "missing-factor" if power < 0 else "extra-factor"
    return Hypothesis(mistake, text, partial(_scaled, factor=factor, power=power, absolute=absolute, at=at))


def _scaled(trial: Trial, factor: Operand, power: int, absolute: bool, at: int) -> np.ndarray | None:
    """Return the true gradient times a power of a tensor with the shape of the input or of the output."""
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


def swapped(case: Case, trial: Trial, position: int) -> Iterator[Hypothesis]:
    """Yield the gradients of the inputs that have received the gradient of this one."""
    for other in trial.sample.tensor_positions:
        if other != position and trial.asks(other) and close(trial.gradient(other), trial.truth(position)):
            text = f"The gradients for {case.name(position)} and {case.name(other)} are swapped."
            yield Hypothesis("gradients-swapped", text, partial(_swapped, at=position, other=other))


def _swapped(trial: Trial, at: int, other: int) -> np.ndarray:
    """Return the true gradient of the other input; if it was not needed, this trial says nothing."""
    return trial.truth(other) if trial.asks(other) else trial.gradient(at)


def _of_another(trial: Trial, at: int, other: int) -> np.ndarray | None:
    requires = [flag or place == other for place, flag in enumerate(trial.requires)]
    return trial.sample.truth.vjp(requires, trial.cotangents)[other]


def _transpose_in_this_shape(trial: Trial, at: int) -> np.ndarray | None:
    truth = trial.truth(at)
    return None if truth.ndim < 2 else truth.swapaxes(-1, -2).reshape(truth.shape)


def _in_other_places(trial: Trial, at: int) -> np.ndarray | None:
    """Return the student's own gradient if it has the entries of the true one in any order."""
    gradient, truth = trial.gradient(at), trial.truth(at)
    same = near(np.sort(gradient, axis=None), np.sort(truth, axis=None), 1e-7, 1e-9)
    return gradient if same else None
