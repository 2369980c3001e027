"""Names the mistake behind a gradient of the wrong shape, from its values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, permutations

import numpy as np

from autograder.function.case import Trial
from autograder.function.checks.numbers import arrived, close


def name_shape(value: np.ndarray, trial: Trial, position: int) -> str | None:
    """Return the mistake that turns the true gradient into `value`; None if none is known to."""
    truth = trial.truths[position]
    assert truth is not None
    others = [
        other
        for p, other in enumerate(trial.truths)
        if p != position and other is not None and not arrived(trial.answer["gradients"][p], other)
    ]
    if any(_same(value, other) for other in others):
        return "gradients-swapped"
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
    """Return what each output element sends back, in the output's shape: the gradient before any sum.

    That is so where forward repeats the input, so that each output element depends on one of its entries.
    """
    cotangent = trial.cotangents[0]
    assert cotangent is not None
    slopes = trial.sample.truth.jacobian(position).sum(axis=1)
    contributions: np.ndarray = cotangent * slopes.reshape(cotangent.shape)
    return contributions


def _same(value: np.ndarray, truth: np.ndarray) -> bool:
    return value.shape == truth.shape and close(value, truth)


def _fits(value: np.ndarray, truth: np.ndarray) -> bool:
    return value.size == truth.size and close(value.reshape(truth.shape), truth)


def _squeezed(array: np.ndarray) -> list[int]:
    return [size for size in array.shape if size != 1]


def _repeats(small: tuple[int, ...], large: tuple[int, ...]) -> bool:
    """Return whether broadcasting takes one shape to the other, so that the engine sums without a word."""
    try:
        return np.broadcast_shapes(small, large) == large
    except ValueError:
        return False


def _transposed(value: np.ndarray) -> Iterator[np.ndarray]:
    yield from (value.transpose(order) for order in permutations(range(value.ndim)))


def _sums(value: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the sums over every choice of axes."""
    axes = range(value.ndim)
    for chosen in chain.from_iterable(combinations(axes, count) for count in range(1, value.ndim + 1)):
        yield np.asarray(value.sum(axis=chosen))
