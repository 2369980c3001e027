"""Varies the user's inputs: near them, with their signs, zeros and symmetry, and in other shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from vjpcheck.arguments import Argument, Arguments, Constant, differentiable, floating
from vjpcheck.numbers import near

ONE = 1e-6  # the error of a sum of float32 probabilities
SIZES_AT_MOST = 3  # sizes of axes, each of which is changed in turn


def variant(arguments: Arguments, generator: np.random.Generator) -> Arguments:
    """Return the arguments with each float multiplied by a factor from 0.8 to 1.2.

    Positive numbers stay positive, a symmetric (positive definite) matrix stays symmetric (positive
    definite), and rows that sum to 1 or have length 1 keep that property. An array that is 0 everywhere, as a
    bias is at first, becomes small random numbers.
    """
    return tuple(_near(argument, generator) for argument in arguments)


def moved(arguments: Arguments, generator: np.random.Generator) -> Arguments:
    """Return the arguments with small random numbers added to each float, zeros included."""
    return tuple(
        argument
        + generator.uniform(0.05, 0.2, argument.shape) * generator.choice([-1.0, 1.0], argument.shape)
        if isinstance(argument, np.ndarray) and differentiable(argument)
        else argument
        for argument in arguments
    )


def rolled_on(arguments: Arguments) -> Arguments:
    """Return the arguments with each array of floats rolled by one along each axis, which changes orders."""
    return tuple(_rolled(a) if isinstance(a, np.ndarray) and differentiable(a) else a for a in arguments)


def in_other_shapes(arguments: Arguments) -> Iterator[Arguments]:
    """Yield the arguments with all axes of one size having size 1 instead, then one entry more.

    Axes of one size are taken for the same axis, so that the pattern of the shapes stays. A size that
    is an integer argument, too, or the length of a list, stays. Where an array of integers ascends, as
    offsets do, it fits its own shapes alone.
    """
    arrays = [argument for argument in arguments if isinstance(argument, np.ndarray)]
    sizes = dict.fromkeys(size for array in arrays for size in array.shape if size)
    if any(array.dtype.kind in "iu" and _ascending(array) for array in arrays):
        return
    fixed = {size for argument in arguments for size in _counts(argument)}
    for size in [size for size in sizes if size not in fixed][:SIZES_AT_MOST]:
        for other in (1, size + 1) if not any(_fits_alone(array, size) for array in arrays) else ():
            if other != size:
                yield tuple(_resized(a, size, other) if isinstance(a, np.ndarray) else a for a in arguments)


def _counts(argument: Argument) -> Iterator[int]:
    """Yield the numbers that may be the size of an axis."""
    if isinstance(argument, int) and not isinstance(argument, bool):
        yield argument
    elif isinstance(argument, Mapping):
        for items in argument.values():
            if isinstance(items, (list, tuple)):
                yield len(items)
                for item in items:
                    yield from _counts(item)


def _resized(array: np.ndarray, size: int, other: int) -> np.ndarray:
    kept = array
    for axis in [axis for axis, length in enumerate(array.shape) if length == size]:
        kept = kept.take(np.arange(other) % size, axis)
    # an index into an axis of the old size
    within = array.dtype.kind in "iu" and array.size and array.min() >= 0 and array.max() < size
    return kept % other if within and other < size else kept


def _fits_alone(array: np.ndarray, size: int) -> bool:
    """Return whether lines of this size have a property that others would lack: a sum, a length, symmetry."""
    if size < 2 or size not in array.shape or array.dtype.kind != "f":
        return False
    normalised = any(length == size and _norm(array, axis) for axis, length in enumerate(array.shape))
    return normalised or _symmetric(array)


def _ascending(array: np.ndarray) -> bool:
    return array.ndim > 0 and array.shape[-1] > 2 and bool((np.diff(array, axis=-1) >= 0).all())


def _rolled(array: np.ndarray) -> np.ndarray:
    for axis in range(array.ndim):
        array = np.roll(array, 1, axis)
    return array


def _near(argument: Argument, generator: np.random.Generator) -> Argument:
    if not isinstance(argument, np.ndarray) or not floating(argument) or not argument.size:
        return argument
    if isinstance(argument, Constant):  # weights of 1 hide which weight a formula uses
        ones = argument.size > 1 and (argument == 1).all()
        return argument * generator.uniform(0.8, 1.2, argument.shape) if ones else argument
    if not argument.any():
        return np.asarray(argument + generator.uniform(-0.2, 0.2, argument.shape))
    if _symmetric(argument):
        scale = np.sqrt(generator.uniform(0.8, 1.2, argument.shape[:-1]))
        return np.asarray(argument * scale[..., :, None] * scale[..., None, :])
    product = np.asarray(argument * generator.uniform(0.8, 1.2, argument.shape))
    for axis in range(argument.ndim):
        if argument.shape[axis] > 1 and (size := _norm(argument, axis)):
            return np.asarray(product / size(product, axis))
    return product


def _norm(array: np.ndarray, axis: int) -> Callable[[np.ndarray, int], np.ndarray] | None:
    """Return the sum or the length of lines if it is 1 for all of them."""
    for size in (_sum, _length):
        values = size(array, axis)
        if near(values, np.ones_like(values), ONE, 0.0):
            return size
    return None


def _sum(array: np.ndarray, axis: int) -> np.ndarray:
    return np.asarray(array.sum(axis, keepdims=True) if (array >= 0).all() else np.nan)


def _length(array: np.ndarray, axis: int) -> np.ndarray:
    return np.asarray(np.sqrt((array * array).sum(axis, keepdims=True)))


def _symmetric(array: np.ndarray) -> bool:
    square = array.ndim >= 2 and array.shape[-1] == array.shape[-2] > 1
    return square and near(array, np.swapaxes(array, -1, -2), 1e-12, 1e-14)
