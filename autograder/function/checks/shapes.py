"""Names the mistake behind a gradient of the wrong shape, from its values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations, permutations

import numpy as np

from autograder.function.checks.numbers import close


def name_shape(value: np.ndarray, truths: Sequence[np.ndarray | None], position: int) -> str | None:
    """Return the mistake that turns the true gradient into `value`; None if none is known to.

    `truths` are the true gradients of all arguments, None where none is asked for.
    """
    truth = truths[position]
    assert truth is not None
    others = [other for p, other in enumerate(truths) if p != position and other is not None]
    if any(_same(value, other) for other in others):
        return "gradients-swapped"
    if any(_same(value.transpose(order), truth) for order in permutations(range(value.ndim))):
        return "missing-transpose" if value.ndim == truth.ndim else None
    for axes in _choices(value.ndim):
        summed = value.sum(axis=axes)
        if summed.size == truth.size and close(summed.reshape(truth.shape), truth):
            # a size-1 axis lost or gained changes the shape and sums nothing up
            return "missing-unbroadcast" if value.size > truth.size else "lost-keepdim"
    return "gradient-too-large" if value.size > truth.size else None


def _same(value: np.ndarray, truth: np.ndarray) -> bool:
    return value.shape == truth.shape and close(value, truth)


def _choices(axes: int) -> chain[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(axes), count) for count in range(axes + 1))
