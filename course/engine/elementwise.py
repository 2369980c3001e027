"""Elementwise operations: arithmetic, powers, exponentials, and the choices between values.

Where operands broadcast, each vjp may give a gradient of the broadcast shape: the pass sums it down (Node.fit).
"""
# ruff: noqa: D102  what forward and vjp do is said in Operation

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from course.engine.core import Tensor, attach
from course.engine.operation import Binary, Operation
from course.engine.values import settle

INPUTS, OUTPUT = ("inputs",), ("output",)


def of_floats_or_arrays(scalar: Callable[[float], float], array: Callable[..., Any]) -> Any:
    """Join a function of `math`, fast on a float, and its NumPy twin into a forward."""
    return staticmethod(lambda x: scalar(x) if type(x) is float else array(x))


def constant(function: Callable[..., Any], *operands: Any) -> Tensor:
    """Apply a function that has no gradient: signs, comparisons."""
    value = settle(function(*(x.data if isinstance(x, Tensor) else x for x in operands)))
    return attach(value) if any(isinstance(x, Tensor) for x in operands) else value  # type: ignore[no-any-return]


class Add(Binary):
    """a + b."""

    __slots__ = ()
    forward = operator.add

    def vjp(self, g: Any, saved: Any) -> Any:
        return g, g


class Sub(Binary):
    """a − b."""

    __slots__ = ()
    forward = operator.sub

    def vjp(self, g: Any, saved: Any) -> Any:
        _, right = self.edges
        return g, right and -g


class Mul(Binary):
    """a · b."""

    __slots__ = ()
    keeps = INPUTS
    forward = operator.mul

    def vjp(self, g: Any, saved: Any) -> Any:
        a, b = saved
        left, right = self.edges
        return left and g * b, right and g * a


class Div(Binary):
    """a / b."""

    __slots__ = ()
    keeps = INPUTS
    forward = operator.truediv

    def vjp(self, g: Any, saved: Any) -> Any:
        a, b = saved
        left, right = self.edges
        return left and g / b, right and -g * a / (b * b)


class Power(Binary):
    """x to the power p; the derivative of x**0 is 0 at 0 too, where p·x**(p−1) alone would say 0·∞."""

    __slots__ = ()
    keeps = INPUTS

    def forward(self, x: Any, p: Any) -> Any:
        return math.pow(x, p) if type(x) is float and type(p) in (float, int) else x**p

    def vjp(self, g: Any, saved: Any) -> Any:
        x, p = saved
        left, right = self.edges
        lower = where((x == 0) & (p == 0), 0.0, p - 1)
        logarithm = right and log(where((x == 0) & (p >= 0), 1.0, x))
        return left and g * (p * x**lower), right and g * (x**p * logarithm)


class Neg(Operation):
    """−x."""

    __slots__ = ()
    forward = operator.neg

    def vjp(self, g: Any, saved: Any) -> Any:
        return -g


class Abs(Operation):
    """|x|; the derivative at 0 is taken as 0."""

    __slots__ = ()
    keeps = INPUTS
    forward = operator.abs

    def vjp(self, g: Any, saved: Any) -> Any:
        return g * constant(np.sign, saved[0])


class Exp(Operation):
    """e to the power x: its own derivative, so the output is what it keeps."""

    __slots__ = ()
    keeps = OUTPUT
    forward = of_floats_or_arrays(math.exp, np.exp)

    def vjp(self, g: Any, saved: Any) -> Any:
        return g * saved[0]


class Log(Operation):
    """The natural logarithm."""

    __slots__ = ()
    keeps = INPUTS
    forward = of_floats_or_arrays(math.log, np.log)

    def vjp(self, g: Any, saved: Any) -> Any:
        return g / saved[0]


class Sin(Operation):
    """sin x."""

    __slots__ = ()
    keeps = INPUTS
    forward = of_floats_or_arrays(math.sin, np.sin)

    def vjp(self, g: Any, saved: Any) -> Any:
        return g * cos(saved[0])


class Cos(Operation):
    """cos x."""

    __slots__ = ()
    keeps = INPUTS
    forward = of_floats_or_arrays(math.cos, np.cos)

    def vjp(self, g: Any, saved: Any) -> Any:
        return -g * sin(saved[0])


class Tanh(Operation):
    """tanh x, whose derivative is 1 − tanh² x."""

    __slots__ = ()
    keeps = OUTPUT
    forward = of_floats_or_arrays(math.tanh, np.tanh)

    def vjp(self, g: Any, saved: Any) -> Any:
        (y,) = saved
        return g * (1 - y * y)


class Sqrt(Operation):
    """The square root, whose derivative is 1 / (2 √x)."""

    __slots__ = ()
    keeps = OUTPUT
    forward = of_floats_or_arrays(math.sqrt, np.sqrt)

    def vjp(self, g: Any, saved: Any) -> Any:
        return g / (2 * saved[0])


class Sigmoid(Operation):
    """1 / (1 + e⁻ˣ), by e to the power −|x|, which cannot overflow."""

    __slots__ = ()
    keeps = OUTPUT

    def forward(self, x: Any) -> Any:
        e = np.exp(-abs(x))
        return np.where(x >= 0, 1, e) / (1 + e)

    def vjp(self, g: Any, saved: Any) -> Any:
        (y,) = saved
        return g * (y * (1 - y))


class Relu(Operation):
    """max(x, 0), with derivative 0 at 0."""

    __slots__ = ()
    keeps = OUTPUT
    forward = of_floats_or_arrays(lambda x: 0.0 if x <= 0 else x, lambda x: np.maximum(x, 0))

    def vjp(self, g: Any, saved: Any) -> Any:
        return g * (saved[0] > 0)


class Maximum(Binary):
    """The larger of a and b; where they are equal, each gets half of the gradient."""

    __slots__ = ()
    keeps = INPUTS
    forward = np.maximum

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


class Cast(Operation):
    """The same numbers in another dtype."""

    __slots__ = ("given", "wanted")

    def __init__(self, wanted: Any) -> None:
        self.wanted = wanted

    def forward(self, x: Any) -> Any:
        x = np.asarray(x)
        self.given = x.dtype
        return x.astype(self.wanted)[()]

    def vjp(self, g: Any, saved: Any) -> Any:
        return Cast(self.given)(g)


def exp(x: Any) -> Tensor:
    """Return e to the power x."""
    return Exp()(x)


def log(x: Any) -> Tensor:
    """Return the natural logarithm."""
    return Log()(x)


def sin(x: Any) -> Tensor:
    """Return the sine."""
    return Sin()(x)


def cos(x: Any) -> Tensor:
    """Return the cosine."""
    return Cos()(x)


def tanh(x: Any) -> Tensor:
    """Return the hyperbolic tangent."""
    return Tanh()(x)


def sqrt(x: Any) -> Tensor:
    """Return the square root."""
    return Sqrt()(x)


def sigmoid(x: Any) -> Tensor:
    """Return 1 / (1 + e⁻ˣ), without overflow."""
    return Sigmoid()(x)


def relu(x: Any) -> Tensor:
    """Return max(x, 0)."""
    return Relu()(x)


def maximum(a: Any, b: Any) -> Tensor:
    """Return the larger of two, elementwise."""
    return Maximum()(a, b)


def where(condition: Any, a: Any, b: Any) -> Tensor:
    """Return a where the condition holds and b elsewhere; the condition has no gradient."""
    return Where(condition.data if isinstance(condition, Tensor) else condition)(a, b)
