"""Varies the user's inputs, keeping their shapes, signs, zeros and symmetry."""

from __future__ import annotations

import numpy as np

from vjpcheck.arguments import Argument, Arguments, differentiable
from vjpcheck.numbers import near

ONE = 1e-6  # the error of a sum of float32 probabilities


def variant(arguments: Arguments, generator: np.random.Generator) -> Arguments:
    """Return the arguments with each float multiplied by a factor from 0.8 to 1.2.

    Positive numbers stay positive, a symmetric (positive definite) matrix stays symmetric (positive
    definite), and rows that sum to 1 or have length 1 keep that property.
    """
    return tuple(_near(argument, generator) for argument in arguments)


def rolled_on(arguments: Arguments) -> Arguments:
    """Return the arguments with each array of floats rolled by one along each axis, which changes orders."""
    return tuple(_rolled(a) if isinstance(a, np.ndarray) and differentiable(a) else a for a in arguments)


def _rolled(array: np.ndarray) -> np.ndarray:
    for axis in range(array.ndim):
        array = np.roll(array, 1, axis)
    return array


def _near(argument: Argument, generator: np.random.Generator) -> Argument:
    if not isinstance(argument, np.ndarray) or not differentiable(argument):
        return argument
    if _symmetric(argument):
        scale = np.sqrt(generator.uniform(0.8, 1.2, argument.shape[:-1]))
        return np.asarray(argument * scale[..., :, None] * scale[..., None, :])
    moved = np.asarray(argument * generator.uniform(0.8, 1.2, argument.shape))
    for axis in range(argument.ndim):
        for size in (_sum, _length):
            values = size(argument, axis)
            if argument.shape[axis] > 1 and near(values, np.ones_like(values), ONE):
                return np.asarray(moved / size(moved, axis))
    return moved


def _sum(array: np.ndarray, axis: int) -> np.ndarray:
    return np.asarray(array.sum(axis, keepdims=True) if (array >= 0).all() else np.nan)


def _length(array: np.ndarray, axis: int) -> np.ndarray:
    return np.asarray(np.sqrt((array * array).sum(axis, keepdims=True)))


def _symmetric(array: np.ndarray) -> bool:
    square = array.ndim >= 2 and array.shape[-1] == array.shape[-2] > 1
    return square and near(array, np.swapaxes(array, -1, -2), 1e-12)
