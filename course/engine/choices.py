"""Choices between values: the gradient goes to the one that was chosen."""
# ruff: noqa: D102  what forward and vjp do is said in Operation

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from course.engine.operation import Binary, Operation, binary, unary
from course.engine.tensor import Tensor, attach
from course.engine.values import settle


def constant(function: Callable[..., Any], *operands: Any) -> Tensor:
    """Apply a function that has no gradient: signs, comparisons."""
    value = settle(function(*(x.data if isinstance(x, Tensor) else x for x in operands)))
    return attach(value) if any(isinstance(x, Tensor) for x in operands) else value


class Abs(Operation):
    """|x|; the derivative at 0 is taken as 0."""

    __slots__ = ()
    keeps_inputs = True
    forward = operator.abs

    def vjp(self, g: Any, saved: Any) -> Any:
        return g * constant(np.sign, saved[0])


class Relu(Operation):
    """max(x, 0), with derivative 0 at 0."""

    __slots__ = ()
    keeps_output = True

    def forward(self, x: Any) -> Any:
        return np.maximum(x, 0) if isinstance(x, np.ndarray) else x * (x > 0)

    def vjp(self, g: Any, saved: Any) -> Any:
        return g * (saved[0] > 0)


class Maximum(Binary):
    """The larger of a and b; where they are equal, each gets half of the gradient."""

    __slots__ = ()
    keeps_inputs = True

    @staticmethod
    def forward(a: Any, b: Any) -> Any:
        return np.maximum(a, b)

    def vjp(self, g: Any, saved: Any) -> Any:
        a, b = saved
        share = where(a == b, 0.5, a > b)
        return g * share, g * (1 - share)


class Where(Operation):
    """a where the condition holds, b elsewhere."""

    __slots__ = ("condition",)

    def __init__(self, condition: Any) -> None:
        self.condition = condition

    def forward(self, a: Any, b: Any) -> Any:
        return np.where(self.condition, a, b)

    def vjp(self, g: Any, saved: Any) -> Any:
        return where(self.condition, g, 0.0), where(self.condition, 0.0, g)


absolute, relu, maximum = unary(Abs), unary(Relu), binary(Maximum)


def where(condition: Any, a: Any, b: Any) -> Tensor:
    """Return a where the condition holds and b elsewhere; the condition has no gradient."""
    return Where(condition.data if isinstance(condition, Tensor) else condition).of(a, b)
