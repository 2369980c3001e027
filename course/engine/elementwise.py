"""Operations entry by entry: each a name, a value, and a vector-Jacobian product for each operand.

In a vjp g is the adjoint, x (or a and b) the operands, y the output. Where operands broadcast, it gives
gradients of the broadcast shape: the pass sums them down (Node.fit).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from course.engine.operation import Operation, binary, unary
from course.engine.tensor import Tensor, attach
from course.engine.values import settle


def on_floats(scalar: Callable[[float], float], array: Callable[..., Any]) -> Callable[[Any], Any]:
    """Join a function of `math`, fast on a float, and its NumPy twin."""
    return lambda x: scalar(x) if type(x) is float else array(x)


def without_gradient(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function of plain values take Tensors: signs, comparisons."""

    def on_tensors(*operands: Any) -> Any:
        value = settle(function(*(x.data if isinstance(x, Tensor) else x for x in operands)))
        return attach(value) if any(isinstance(x, Tensor) for x in operands) else value

    return on_tensors


def where(condition: Any, a: Any, b: Any) -> Any:
    """Return a where the condition holds and b elsewhere; the condition has no gradient."""
    holds = condition.data if isinstance(condition, Tensor) else condition
    return Operation(
        "Where",
        lambda a, b: np.where(holds, a, b),
        lambda g: where(holds, g, 0.0),
        lambda g: where(holds, 0.0, g),
    ).of(a, b)


add = binary("Add", operator.add, lambda g, a, b: g, lambda g, a, b: g)
sub = binary("Sub", operator.sub, lambda g, a, b: g, lambda g, a, b: -g)
mul = binary("Mul", operator.mul, lambda g, a, b: g * b, lambda g, a, b: g * a, "other inputs")
div = binary("Div", operator.truediv, lambda g, a, b: g / b, lambda g, a, b: -g * a / (b * b), "inputs")
neg = unary("Neg", operator.neg, lambda g: -g)

exp = unary("Exp", on_floats(math.exp, np.exp), lambda g, y: g * y, "output")
log = unary("Log", on_floats(math.log, np.log), lambda g, x: g / x, "inputs")
sin = unary("Sin", on_floats(math.sin, np.sin), lambda g, x: g * cos(x), "inputs")
cos: Any = unary("Cos", on_floats(math.cos, np.cos), lambda g, x: -g * sin(x), "inputs")
tanh = unary("Tanh", on_floats(math.tanh, np.tanh), lambda g, y: g * (1 - y * y), "output")
sqrt = unary("Sqrt", on_floats(math.sqrt, np.sqrt), lambda g, y: g / (2 * y), "output")

# At a kink the derivative is PyTorch's choice: 0 for abs and relu, half for each of two equal maxima.
sign = without_gradient(np.sign)
absolute = unary("Abs", operator.abs, lambda g, x: g * sign(x), "inputs")
relu = unary(
    "Relu", on_floats(lambda x: x * (x > 0), lambda x: np.maximum(x, 0)), lambda g, y: g * (y > 0), "output"
)


def share(a: Any, b: Any) -> Any:
    """Return 1 where a is larger, 0 where b is, and a half where they are equal."""
    return where(a == b, 0.5, a > b)


maximum = binary(
    "Maximum", np.maximum, lambda g, a, b: g * share(a, b), lambda g, a, b: g * share(b, a), "inputs"
)


def sigmoid_of(x: Any) -> Any:
    """Return 1 / (1 + e⁻ˣ) by e to the power −|x|, which cannot overflow."""
    e = np.exp(-abs(x))
    return np.where(x >= 0, 1, e) / (1 + e)


sigmoid = unary("Sigmoid", sigmoid_of, lambda g, y: g * (y * (1 - y)), "output")


def power_of(x: Any, p: Any) -> Any:
    """Return x to the power p, by `math` where both are plain numbers."""
    return math.pow(x, p) if type(x) is float and type(p) in (float, int) else x**p


def power_by_x(g: Any, x: Any, p: Any) -> Any:
    """Return g · p·x**(p−1), which is 0 for x**0 at 0 too, where the formula alone would say 0·∞."""
    return g * (p * x ** where((x == 0) & (p == 0), 0.0, p - 1))


def power_by_p(g: Any, x: Any, p: Any) -> Any:
    """Return g · x**p · ln x, which is 0 at 0."""
    return g * (x**p * log(where((x == 0) & (p >= 0), 1.0, x)))


power = binary("Power", power_of, power_by_x, power_by_p, "inputs")
