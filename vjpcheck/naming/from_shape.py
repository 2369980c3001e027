"""Names the mistake behind a gradient of the wrong shape from its values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, permutations

import numpy as np

from vjpcheck.case import Case, Trial
from vjpcheck.naming.hypothesis import by_pullback
from vjpcheck.numbers import arrived, close


def name_in_general(truth: np.ndarray, value: np.ndarray) -> str:
    """Return the name that fits any wrong shape."""
    return "reshaped-gradient" if _fits(value, truth) else "wrong-shape"


def name_shape(case: Case, trial: Trial, position: int, value: np.ndarray) -> str | None:
    """Return the mistake that turns the true gradient into `value`; None if no known mistake does."""
    truth = trial.truths[position]
    assert truth is not None
    for known in case.spec.lookalikes:
        wrong = by_pullback(trial, known.pullback, position)
        if wrong is not None and _same(value, wrong):
            return known.mistake
    returned = trial.answer["returned"] or []
    others = [  # a gradient that was exchanged with this one has a wrong shape too
        other
        for p, (other, its) in enumerate(zip(trial.truths, returned, strict=False))
        if p != position and other is not None and its["value"] is not None
    ]
    if any(_same(value, other) for other in others):
        return "gradients-swapped"
    cotangent = next(each for each in trial.cotangents if each is not None)
    if value.size < truth.size and any(_same(spread, truth) for spread in _spread(value, truth.shape)):
        return "missing-expand"
    summed = any(_same(spread, truth) for spread in _spread(cotangent, truth.shape))
    summed = summed and not _repeats(truth.shape, value.shape)
    if summed and any(_same(spread, value) for spread in _spread(cotangent, value.shape)):
        return "expanded-wrong-axis"
    if value.ndim == truth.ndim and any(_same(view, truth) for view in _transposed(value)):
        return "missing-transpose"
    if _squeezed(value) == _squeezed(truth):
        lost = value.ndim < truth.ndim and close(value.reshape(truth.shape), truth)
        return "lost-keepdim" if lost and not _right_when_longer(case, trial, position) else None
    if value.size > truth.size and any(_fits(summed, truth) for summed in _sums(value)):
        return "missing-unbroadcast"
    if any(_same(summed, value) for summed in _sums(_contributions(trial, position))):
        return "wrong-sum-axis"
    return "gradient-too-large" if _repeats(truth.shape, value.shape) else None


def _right_when_longer(case: Case, trial: Trial, position: int) -> bool:
    """Return whether the gradient is right for inputs with as many axes and none of size 1.

    Then no sum has lost the axis, unless backward sums only axes of size 1, along which forward repeats the
    input.
    """
    reached = [_reached(t, position) for t in case.trials if _longer(t, trial, position)]
    return bool(reached) and (max(reached) > 1 or _reached(trial, position) == 1)


def _longer(other: Trial, trial: Trial, position: int) -> bool:
    truth = other.truths[position] if position < len(other.truths) else None
    if truth is None or truth.ndim != trial.truth(position).ndim or 1 in truth.shape:
        return False
    return arrived(other.answer["gradients"][position], truth)


def _reached(trial: Trial, position: int) -> int:
    """Return the largest number of output entries that depend on one input entry."""
    truth = trial.sample.truth
    jacobians = [truth.jacobian(position, output) for output, flow in enumerate(truth.flows) if flow]
    return int(np.max(np.sum([(jacobian != 0).sum(axis=0) for jacobian in jacobians], axis=0), initial=0))


def _contributions(trial: Trial, position: int) -> np.ndarray:
    """Return the contribution of each output element to the gradient, in the shape of the output.

    It is the gradient before any sum if each output element depends on one entry of the input.
    """
    chosen, cotangent = next((i, each) for i, each in enumerate(trial.cotangents) if each is not None)
    slopes = trial.sample.truth.jacobian(position, chosen).sum(axis=1)
    contributions: np.ndarray = cotangent * slopes.reshape(cotangent.shape)
    return contributions


def _same(value: np.ndarray, truth: np.ndarray) -> bool:
    return value.shape == truth.shape and close(value, truth)


def _fits(value: np.ndarray, truth: np.ndarray) -> bool:
    return value.size == truth.size and close(value.reshape(truth.shape), truth)


def _squeezed(array: np.ndarray) -> list[int]:
    return [size for size in array.shape if size != 1]


def _repeats(small: tuple[int, ...], large: tuple[int, ...]) -> bool:
    """Return whether the small shape broadcasts to the large one, so that the engine sums silently."""
    try:
        return np.broadcast_shapes(small, large) == large
    except ValueError:
        return False


def _spread(value: np.ndarray, shape: tuple[int, ...]) -> Iterator[np.ndarray]:
    """Yield the value expanded to a larger shape, for every ordered choice of axes."""
    if value.size >= np.prod(shape):
        return
    if value.ndim == len(shape) and _repeats(value.shape, shape):  # a sum that kept its axis
        yield np.broadcast_to(value, shape)
    for kept in combinations(range(len(shape)), value.ndim):
        placed = [size if axis in kept else 1 for axis, size in enumerate(shape)]
        if [placed[axis] for axis in kept] == list(value.shape):
            yield np.broadcast_to(value.reshape(placed), shape)


def _transposed(value: np.ndarray) -> Iterator[np.ndarray]:
    yield from (value.transpose(order) for order in permutations(range(value.ndim)))


def _sums(value: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the sums over every choice of axes."""
    axes = range(value.ndim)
    for chosen in chain.from_iterable(combinations(axes, count) for count in range(1, value.ndim + 1)):
        yield np.asarray(value.sum(axis=chosen))
