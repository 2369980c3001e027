"""Operations on whole arrays: reductions, products of matrices, and changes of shape."""
# ruff: noqa: D102  what forward and vjp do is said in Operation

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from course.engine.core import Tensor
from course.engine.elementwise import constant, exp
from course.engine.operation import Operation
from course.engine.values import shape_of

Axis = int | tuple[int, ...] | None


class Reduction(Operation):
    """An operation that takes one axis, some, or all away, or keeps them with size 1."""

    __slots__ = ("axis", "given", "keepdims")

    def __init__(self, axis: Axis, keepdims: bool) -> None:
        self.axis, self.keepdims = axis, keepdims

    def restore(self, reduced: Any) -> Any:
        """Give a reduced value its axes back, with size 1."""
        axes = range(len(self.given)) if self.axis is None else np.atleast_1d(self.axis) % len(self.given)
        return reshape(reduced, tuple(1 if i in axes else n for i, n in enumerate(self.given)))


class Sum(Reduction):
    """The sum over axes: each entry counts once, so its vjp is a copy for each."""

    __slots__ = ()

    def forward(self, x: Any) -> Any:
        self.given = shape_of(x)
        return np.sum(x, axis=self.axis, keepdims=self.keepdims)

    def vjp(self, g: Any, saved: Any) -> Any:
        return broadcast_to(self.restore(g), self.given)


class Max(Reduction):
    """The largest over axes; equal ones share the gradient."""

    __slots__ = ()
    keeps = ("inputs", "output")

    def forward(self, x: Any) -> Any:
        self.given = shape_of(x)
        return np.max(x, axis=self.axis, keepdims=self.keepdims)

    def vjp(self, g: Any, saved: Any) -> Any:
        x, y = saved
        chosen = constant(np.equal, x, self.restore(y))
        return self.restore(g) * (chosen / self.restore(sum(chosen, self.axis)))


class LogSumExp(Reduction):
    """log Σ eˣ over axes, with the largest x taken out first so that nothing overflows."""

    __slots__ = ()
    keeps = ("inputs", "output")

    def forward(self, x: Any) -> Any:
        self.given = shape_of(x)
        top = np.max(x, axis=self.axis, keepdims=True)
        top = np.where(np.isfinite(top), top, 0)
        total = np.log(np.sum(np.exp(x - top), axis=self.axis, keepdims=True)) + top
        return total if self.keepdims else np.squeeze(total, self.axis)

    def vjp(self, g: Any, saved: Any) -> Any:
        x, y = saved
        return self.restore(g) * exp(x - self.restore(y))


class BroadcastTo(Operation):
    """Repetition along new axes and axes of size 1; the core sums the gradient down again."""

    __slots__ = ("wanted",)

    def __init__(self, wanted: tuple[int, ...]) -> None:
        self.wanted = wanted

    def forward(self, x: Any) -> Any:
        return np.broadcast_to(x, self.wanted)

    def vjp(self, g: Any, saved: Any) -> Any:
        return g


class Reshape(Operation):
    """The same entries in another shape."""

    __slots__ = ("given", "wanted")

    def __init__(self, wanted: tuple[int, ...]) -> None:
        self.wanted = wanted

    def forward(self, x: Any) -> Any:
        self.given = shape_of(x)
        return np.reshape(x, self.wanted)

    def vjp(self, g: Any, saved: Any) -> Any:
        return reshape(g, self.given)


class Transpose(Operation):
    """The axes in another order."""

    __slots__ = ("axes",)

    def __init__(self, axes: tuple[int, ...]) -> None:
        self.axes = axes

    def forward(self, x: Any) -> Any:
        return np.transpose(x, self.axes)

    def vjp(self, g: Any, saved: Any) -> Any:
        return transpose(g, tuple(int(i) for i in np.argsort(self.axes)))


class MatMul(Operation):
    """Products of matrices, in stacks if there are more than two axes; a vector is a row before, a column after."""

    __slots__ = ()
    keeps = ("inputs",)
    forward = np.matmul

    def vjp(self, g: Any, saved: Any) -> Any:
        a, b = saved
        if a.ndim == 1:
            a, g = (
                a.reshape(1, -1),
                reshape(g, (*shape_of(g)[:-1], 1, *shape_of(g)[-1:]) if b.ndim > 1 else (1,)),
            )
        if b.ndim == 1:
            b, g = b.reshape(-1, 1), reshape(g, (*shape_of(g), 1))
        left, right = self.edges
        return left and self.fold(g @ swap(b), saved[0]), right and self.fold(swap(a) @ g, saved[1])

    @staticmethod
    def fold(gradient: Any, operand: Any) -> Any:
        """Take from a vector's gradient the axis of size 1 that made it a matrix, summing over stacks."""
        if operand.ndim > 1:
            return gradient
        gradient = sum(gradient, tuple(range(gradient.ndim - 2)))
        return reshape(gradient, operand.shape)


class Index(Operation):
    """x[key], where the key may pick an entry more than once."""

    __slots__ = ("given", "key")

    def __init__(self, key: Any) -> None:
        self.key = key

    def forward(self, x: Any) -> Any:
        self.given = shape_of(x)
        return x[self.key]

    def vjp(self, g: Any, saved: Any) -> Any:
        return Scatter(self.key, self.given)(g)


class Scatter(Operation):
    """The adjoint of Index: add each entry to the place in an array of zeros that it was read from."""

    __slots__ = ("key", "wanted")

    def __init__(self, key: Any, wanted: tuple[int, ...]) -> None:
        self.key, self.wanted = key, wanted

    def forward(self, g: Any) -> Any:
        total = np.zeros(self.wanted, dtype=getattr(g, "dtype", float))
        np.add.at(total, self.key, g)  # `total[key] += g` would count a repeated place once
        return total

    def vjp(self, g: Any, saved: Any) -> Any:
        return Index(self.key)(g)


class Concatenate(Operation):
    """Arrays joined along an axis."""

    __slots__ = ("axis", "ends")

    def __init__(self, axis: int) -> None:
        self.axis = axis

    def forward(self, *parts: Any) -> Any:
        self.ends = np.cumsum([part.shape[self.axis] for part in parts]).tolist()
        return np.concatenate(parts, axis=self.axis)

    def vjp(self, g: Any, saved: Any) -> Any:
        before: tuple[Any, ...] = (slice(None),) * (self.axis % g.ndim)
        starts = [0, *self.ends[:-1]]
        return tuple(Index((*before, slice(i, j)))(g) for i, j in zip(starts, self.ends, strict=True))


def sum(x: Any, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the sum over axes, all of them by default."""
    return Sum(axis, keepdims)(x)


def mean(x: Any, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the mean over axes, all of them by default."""
    total = sum(x, axis, keepdims)
    return total * (np.size(total.data if isinstance(total, Tensor) else total) / x.size)


def max(x: Any, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the largest over axes, all of them by default."""
    return Max(axis, keepdims)(x)


def logsumexp(x: Any, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return log Σ eˣ over axes, without overflow."""
    return LogSumExp(axis, keepdims)(x)


def broadcast_to(x: Any, shape: tuple[int, ...]) -> Tensor:
    """Return x repeated to the shape, by NumPy's rules."""
    return x if shape_of(x) == shape else BroadcastTo(shape)(x)


def reshape(x: Any, shape: tuple[int, ...]) -> Tensor:
    """Return x in another shape of the same size."""
    return x if shape_of(x) == shape else Reshape(shape)(x)


def transpose(x: Any, axes: tuple[int, ...] | None = None) -> Tensor:
    """Return x with its axes in the order given, reversed by default."""
    return Transpose(tuple(reversed(range(len(shape_of(x))))) if axes is None else axes)(x)


def swap(x: Any) -> Tensor:
    """Return x with its last two axes exchanged."""
    order = tuple(range(x.ndim))
    return transpose(x, (*order[:-2], order[-1], order[-2]))


def matmul(a: Any, b: Any) -> Tensor:
    """Return a @ b; stacks of matrices broadcast."""
    return MatMul()(a, b)


def concatenate(parts: Sequence[Any], axis: int = 0) -> Tensor:
    """Return arrays joined along an axis."""
    return Concatenate(axis)(*parts)
