"""Names the mistake behind a gradient of the wrong shape, from its values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, permutations

import numpy as np

from autograder.function.case import Case, Trial
from autograder.function.explain.by_lookalike import shows
from autograder.numbers import arrived, close


def name_in_general(truth: np.ndarray, value: np.ndarray) -> str:
    """Return the name that fits any wrong shape."""
    return "reshaped-gradient" if _fits(value, truth) else "wrong-shape"


def name_shape(case: Case, trial: Trial, position: int, value: np.ndarray) -> str | None:
    """Return the mistake that turns the true gradient into `value`; None if no known mistake does."""
    truth = trial.truths[position]
    assert truth is not None
    for known in case.exercise.lookalikes:
        if shows(trial, known.pullback, position, value):
            return known.mistake
    others = [
        other
        for p, other in enumerate(trial.truths)
        if p != position and other is not None and not arrived(trial.answer["gradients"][p], other)
    ]
    if any(_same(value, other) for other in others):
        return "gradients-swapped"
    cotangent = next(given for given in trial.cotangents if given is not None)
    if value.size < truth.size and any(_same(spread, truth) for spread in _spread(value, truth.shape)):
        return "missing-expand"
    summed = any(_same(spread, truth) for spread in _spread(cotangent, truth.shape))
    summed = summed and not _repeats(truth.shape, value.shape)
    if summed and any(_same(spread, value) for spread in _spread(cotangent, value.shape)):
        return "expanded-wrong-axis"
    if value.ndim == truth.ndim and any(_same(view, truth) for view in _transposed(value)):
        return "missing-transpose"
    if _squeezed(value) == _squeezed(truth):
        return (
            "lost-keepdim" if value.ndim < truth.ndim and close(value.reshape(truth.shape), truth) else None
        )
    if value.size > truth.size and any(_fits(summed, truth) for summed in _sums(value)):
        return "missing-unbroadcast"
    if any(_same(summed, value) for summed in _sums(_contributions(trial, position))):
        return "wrong-sum-axis"
    return "gradient-too-large" if _repeats(truth.shape, value.shape) else None


def _contributions(trial: Trial, position: int) -> np.ndarray:
    """Return the contribution of each output element, in the output's shape: the gradient before any sum.

    This holds if forward repeats the input, so that each output element depends on one of its entries.
    """
    chosen, cotangent = next((i, given) for i, given in enumerate(trial.cotangents) if given is not None)
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
    """Return whether broadcasting takes one shape to the other, so that the engine sums silently."""
    try:
        return np.broadcast_shapes(small, large) == large
    except ValueError:
        return False


def _spread(value: np.ndarray, shape: tuple[int, ...]) -> Iterator[np.ndarray]:
    """Yield the value expanded to a larger shape in every way: its axes are any of that shape's, in order."""
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
