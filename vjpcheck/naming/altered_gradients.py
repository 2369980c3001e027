"""Proposes wrong gradients that are the true ones with another factor, or with entries moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations

import numpy as np

from vjpcheck.case import Case, Trial
from vjpcheck.naming.hypothesis import (
    Hypothesis,
    Operand,
    axes_of,
    dependence,
    only_cotangent,
    pulled,
    replaced,
    tensors,
)
from vjpcheck.numbers import near

POWERS = (-1, 1, -2, 2)
# from a number of axes to the axes to sum
Axes = Callable[[int], tuple[int, ...]]


def first(case: Case, trial: Trial, position: int) -> Iterator[Hypothesis]:
    """Yield the cotangent itself, the gradient of another input, and extra or missing factors."""
    name = case.name(position)
    text = f"The gradient for {name} is the unchanged cotangent."
    yield Hypothesis("cotangent-passed-on", text, only_cotangent)
    text = f"The gradient for {name} is the cotangent without the derivative of forward."
    yield Hypothesis("cotangent-passed-on", text, partial(_spread, case=case, at=position))
    for other in trial.sample.tensor_positions:
        if other != position:
            text = f"The gradient for {name} is the gradient for {case.name(other)}."
            yield Hypothesis(
                "gradient-of-another-input", text, partial(_of_another, at=position, other=other)
            )
    for factor in [*tensors(case, trial), *_numbers(case, trial)]:
        for power in POWERS:
            for absolute in (False, True) if power % 2 else (False,):
                yield _factor(name, factor, power, absolute, position)
    for factor in tensors(case, trial):
        text = f"The gradient for {name} is the cotangent times {factor.name}, not times the derivative."
        yield Hypothesis("value-for-derivative", text, partial(_times, factors=[factor]))
    for output, factor in combinations([*tensors(case, trial)][::-1], 2):
        text = f"The gradient for {name} is the cotangent times {output.name} times {factor.name}: a value "
        text += "is in the place of a derivative."
        yield Hypothesis("value-for-derivative", text, partial(_times, factors=[output, factor]))


def summed(case: Case, trial: Trial, position: int) -> Iterator[Hypothesis]:
    """Yield the gradient summed and spread again, or the derivatives summed before the product."""
    name = case.name(position)
    shape = trial.truth(position).shape
    axes = axes_of(shape)
    chosen: list[tuple[str, Axes]] = [("over all its entries", lambda count: (*range(count),))]
    if len(axes) > 1:
        chosen += [
            (f"along axis {axis}", partial(_one_axis, axis=counted))
            for axis in axes
            for counted in (axis, axis - len(shape))
        ]
    if len(shape) > 2:  # a stack of matrices, of vectors
        chosen += [(f"along all but the last {kept} axes", partial(_leading, kept=kept)) for kept in (2, 1)]
    for along, some in chosen:
        for how, reduce in (("summed", np.sum), ("averaged", np.mean)):
            text = (
                f"The gradient for {name} is {how} {along}, so that all of these entries get the same number."
            )
            yield Hypothesis("gradient-summed", text, partial(_spread_sum, at=position, axes=some, by=reduce))
    text = f"The gradient for {name} is the cotangent times the sum of the derivatives of all entries."
    yield Hypothesis("gradient-summed", text, partial(_summed_slopes, at=position))


def _spread_sum(trial: Trial, at: int, axes: Axes, by: Callable[..., np.ndarray]) -> np.ndarray | None:
    truth = trial.truth(at)
    return np.broadcast_to(by(truth, axis=axes(truth.ndim), keepdims=True), truth.shape)


def _one_axis(count: int, axis: int) -> tuple[int, ...]:
    return (axis,) if -count <= axis < count else ()


def _leading(count: int, kept: int) -> tuple[int, ...]:
    return (*range(count - kept),)


def _summed_slopes(trial: Trial, at: int) -> np.ndarray | None:
    cotangent = only_cotangent(trial)
    if cotangent is None or cotangent.shape != trial.truth(at).shape:
        return None
    slopes = pulled(trial, replaced(trial, np.ones_like(cotangent)), at)
    return None if slopes is None else cotangent * slopes.sum()


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


def _times(trial: Trial, factors: Sequence[Operand]) -> np.ndarray | None:
    product = only_cotangent(trial)
    for factor in factors:
        value = factor.value(trial)
        if product is None or value is None:
            return None
        product = product * value
    return product


def _spread(trial: Trial, case: Case, at: int) -> np.ndarray | None:
    cotangent = only_cotangent(trial)
    if cotangent is None:
        return None
    reached = dependence(case, trial, at)
    return np.asarray(reached.T @ cotangent.ravel(), dtype=float).reshape(trial.truth(at).shape)


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
