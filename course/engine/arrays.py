"""Operations on whole arrays: changes of shape, reductions over axes, products of matrices.

The adjoint of copying is adding, that of adding is copying, and that of moving is moving back.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from course.engine.elementwise import exp, without_gradient
from course.engine.operation import Operation, binary
from course.engine.values import dtype_of, shape_of

Axis = int | tuple[int, ...] | None
equal = without_gradient(np.equal)


def broadcast_to(x: Any, shape: tuple[int, ...]) -> Any:
    """Return x repeated to the shape, by NumPy's rules; the pass sums the gradient down again."""
    if shape_of(x) == shape:
        return x
    return Operation("BroadcastTo", lambda a: np.broadcast_to(a, shape), lambda g: g).of(x)


def reshape(x: Any, shape: tuple[int, ...]) -> Any:
    """Return x in another shape of the same size."""
    given = shape_of(x)
    if given == shape:
        return x
    return Operation("Reshape", lambda a: np.reshape(a, shape), lambda g: reshape(g, given)).of(x)


def transpose(x: Any, axes: tuple[int, ...] | None = None) -> Any:
    """Return x with its axes in the order given, reversed by default."""
    back = None if axes is None else tuple(np.argsort(axes).tolist())
    return Operation("Transpose", lambda a: np.transpose(a, axes), lambda g: transpose(g, back)).of(x)


def astype(x: Any, dtype: Any) -> Any:
    """Return the same numbers in another dtype."""
    given = dtype_of(x)
    return Operation("Cast", lambda a: np.asarray(a, dtype)[()], lambda g: astype(g, given)).of(x)


def index(x: Any, key: Any) -> Any:
    """Return x[key], where the key may pick an entry more than once."""
    given = shape_of(x)
    return Operation("Index", lambda a: a[key], lambda g: scatter(g, key, given)).of(x)


def scatter(x: Any, key: Any, shape: tuple[int, ...]) -> Any:
    """Return zeros to which x is added at x[key]: the adjoint of index."""

    def forward(a: Any) -> Any:
        total = np.zeros(shape, dtype_of(a))
        np.add.at(total, key, a)  # `total[key] += a` would count a repeated place once
        return total

    return Operation("Scatter", forward, lambda g: index(g, key)).of(x)


def concatenate(parts: Sequence[Any], axis: int = 0) -> Any:
    """Return arrays joined along an axis."""
    before = (slice(None),) * (axis % len(np.shape(parts[0])))
    ends = np.cumsum([0, *(np.shape(part)[axis] for part in parts)]).tolist()
    vjps = [lambda g, i=i, j=j: index(g, (*before, slice(i, j))) for i, j in pairwise(ends)]
    return Operation("Concatenate", lambda *arrays: np.concatenate(arrays, axis), *vjps).of(*parts)


def sum(x: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """Return the sum over axes, all of them by default."""
    given = shape_of(x)
    return Operation(
        "Sum",
        lambda a: np.sum(a, axis=axis, keepdims=keepdims),
        lambda g: broadcast_to(restore(g, given, axis), given),
    ).of(x)


def mean(x: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """Return the mean over axes, all of them by default."""
    total = sum(x, axis, keepdims)
    return total * (total.size / x.size)


def max(x: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """Return the largest over axes, all of them by default; equal ones share the gradient."""
    given = shape_of(x)

    def forward(a: Any) -> Any:
        return np.max(a, axis=axis, keepdims=keepdims)

    def vjp(g: Any, x: Any, y: Any) -> Any:
        chosen = equal(x, restore(y, given, axis))
        return restore(g, given, axis) * (chosen / sum(chosen, axis, keepdims=True))

    return Operation("Max", forward, vjp, keeps="inputs and output").of(x)


def logsumexp(x: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """Return log Σ eˣ over axes, with the largest x taken out first so that nothing overflows."""
    given = shape_of(x)

    def forward(a: Any) -> Any:
        top = np.max(a, axis=axis, keepdims=True)
        top = np.where(np.isfinite(top), top, 0)
        total = np.log(np.sum(np.exp(a - top), axis=axis, keepdims=True)) + top
        return total if keepdims else np.squeeze(total, axis)

    def vjp(g: Any, x: Any, y: Any) -> Any:
        return restore(g, given, axis) * exp(x - restore(y, given, axis))

    return Operation("LogSumExp", forward, vjp, keeps="inputs and output").of(x)


def restore(reduced: Any, given: tuple[int, ...], axis: Axis) -> Any:
    """Give a reduced value its axes back, with size 1, so that it broadcasts against what was reduced."""
    if axis is None or len(shape_of(reduced)) == len(given):
        return reduced
    axes = np.atleast_1d(axis) % len(given)
    return reshape(reduced, tuple(1 if i in axes else n for i, n in enumerate(given)))


product = binary("MatMul", operator.matmul, lambda g, a, b: g @ b.mT, lambda g, a, b: a.mT @ g, "inputs")


def matmul(a: Any, b: Any) -> Any:
    """Return products of (stacks of) matrices; a vector is a row on the left, a column on the right."""
    if len(shape_of(a)) == 1:
        row = matmul(reshape(a, (1, -1)), b)
        return row[0] if row.ndim == 1 else row[..., 0, :]
    if len(shape_of(b)) == 1:
        return product(a, reshape(b, (-1, 1)))[..., 0]
    return product(a, b)
