"""Functions of one variable, and powers."""
# ruff: noqa: D102  what forward and vjp do is said in Operation

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from course.engine.choices import where
from course.engine.operation import Binary, Operation, binary, unary


def on_floats(scalar: Callable[[float], float], array: Callable[..., Any]) -> Any:
    """Join a function of `math`, fast on a float, and its NumPy twin into a forward."""
    return staticmethod(lambda x: scalar(x) if type(x) is float else array(x))


class Power(Binary):
    """x to the power p; the derivative of x**0 is 0 at 0 too, where p·x**(p−1) alone would say 0·∞."""

    __slots__ = ()
    keeps_inputs = True

    @staticmethod
    def forward(x: Any, p: Any) -> Any:
        return math.pow(x, p) if type(x) is float and type(p) in (float, int) else x**p

    def vjp(self, g: Any, saved: Any) -> Any:
        x, p = saved
        lower = where((x == 0) & (p == 0), 0.0, p - 1)
        logarithm = self.right and log(where((x == 0) & (p >= 0), 1.0, x))
        return self.left and g * (p * x**lower), self.right and g * (x**p * logarithm)


class Exp(Operation):
    """e to the power x: its own derivative, so the output is what it keeps."""

    __slots__ = ()
    keeps_output = True
    forward = on_floats(math.exp, np.exp)

    def vjp(self, g: Any, saved: Any) -> Any:
        return g * saved[0]


class Log(Operation):
    """The natural logarithm."""

    __slots__ = ()
    keeps_inputs = True
    forward = on_floats(math.log, np.log)

    def vjp(self, g: Any, saved: Any) -> Any:
        return g / saved[0]


class Sin(Operation):
    """The sine."""

    __slots__ = ()
    keeps_inputs = True
    forward = on_floats(math.sin, np.sin)

    def vjp(self, g: Any, saved: Any) -> Any:
        return g * cos(saved[0])


class Cos(Operation):
    """The cosine."""

    __slots__ = ()
    keeps_inputs = True
    forward = on_floats(math.cos, np.cos)

    def vjp(self, g: Any, saved: Any) -> Any:
        return -g * sin(saved[0])


class Tanh(Operation):
    """The hyperbolic tangent, whose derivative is 1 − tanh² x."""

    __slots__ = ()
    keeps_output = True
    forward = on_floats(math.tanh, np.tanh)

    def vjp(self, g: Any, saved: Any) -> Any:
        (y,) = saved
        return g * (1 - y * y)


class Sqrt(Operation):
    """The square root, whose derivative is 1 / (2 √x)."""

    __slots__ = ()
    keeps_output = True
    forward = on_floats(math.sqrt, np.sqrt)

    def vjp(self, g: Any, saved: Any) -> Any:
        return g / (2 * saved[0])


class Sigmoid(Operation):
    """1 / (1 + e⁻ˣ), by e to the power −|x|, which cannot overflow."""

    __slots__ = ()
    keeps_output = True

    def forward(self, x: Any) -> Any:
        e = np.exp(-abs(x))
        return np.where(x >= 0, 1, e) / (1 + e)

    def vjp(self, g: Any, saved: Any) -> Any:
        (y,) = saved
        return g * (y * (1 - y))


power = binary(Power)
exp, log, sqrt, sigmoid = unary(Exp), unary(Log), unary(Sqrt), unary(Sigmoid)
sin, cos, tanh = unary(Sin), unary(Cos), unary(Tanh)
