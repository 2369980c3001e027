"""Reductions: sums, means and maxima over axes, and products of matrices."""
# ruff: noqa: D102  what forward and vjp do is said in Operation

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from course.engine.choices import constant
from course.engine.functions import exp
from course.engine.operation import Binary, Operation, binary
from course.engine.shapes import broadcast_to, reshape
from course.engine.tensor import Tensor
from course.engine.values import shape_of

Axis = int | tuple[int, ...] | None


class Reduction(Operation):
    """An operation that takes one axis, some, or all away, or keeps them with size 1."""

    __slots__ = ("axis", "given", "keepdims")

    given: tuple[int, ...]

    def __init__(self, axis: Axis, keepdims: bool) -> None:
        self.axis, self.keepdims = axis, keepdims

    def restore(self, reduced: Any) -> Any:
        """Give a reduced value its axes back, with size 1, so that it broadcasts against what was reduced."""
        if self.axis is None or self.keepdims:
            return reduced
        axes = np.atleast_1d(self.axis) % len(self.given)
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
    keeps_inputs = keeps_output = True

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
    keeps_inputs = keeps_output = True

    def forward(self, x: Any) -> Any:
        self.given = shape_of(x)
        top = np.max(x, axis=self.axis, keepdims=True)
        top = np.where(np.isfinite(top), top, 0)
        total = np.log(np.sum(np.exp(x - top), axis=self.axis, keepdims=True)) + top
        return total if self.keepdims else np.squeeze(total, self.axis)

    def vjp(self, g: Any, saved: Any) -> Any:
        x, y = saved
        return self.restore(g) * exp(x - self.restore(y))


class MatMul(Binary):
    """Products of (stacks of) matrices; a vector is a row on the left, a column on the right."""

    __slots__ = ()
    keeps_inputs = True
    forward = operator.matmul

    def vjp(self, g: Any, saved: Any) -> Any:
        a, b = saved
        if a.ndim == 1:
            a, g = (
                a.reshape(1, -1),
                reshape(g, (*shape_of(g)[:-1], 1, *shape_of(g)[-1:]) if b.ndim > 1 else (1,)),
            )
        if b.ndim == 1:
            b, g = b.reshape(-1, 1), reshape(g, (*shape_of(g), 1))
        return self.left and self.fold(g @ b.mT, saved[0]), self.right and self.fold(a.mT @ g, saved[1])

    @staticmethod
    def fold(gradient: Any, operand: Any) -> Any:
        """Take from a vector's gradient the axis of size 1 that made it a matrix, summing over stacks."""
        if operand.ndim > 1:
            return gradient
        gradient = sum(gradient, tuple(range(gradient.ndim - 2)))
        return reshape(gradient, operand.shape)


def sum(x: Any, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the sum over axes, all of them by default."""
    return Sum(axis, keepdims).of(x)


def mean(x: Any, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the mean over axes, all of them by default."""
    total = sum(x, axis, keepdims)
    share: float = total.size / x.size
    return total * share


def max(x: Any, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the largest over axes, all of them by default."""
    return Max(axis, keepdims).of(x)


def logsumexp(x: Any, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return log Σ eˣ over axes, without overflow."""
    return LogSumExp(axis, keepdims).of(x)


matmul = binary(MatMul)
