"""The operations: each a name, a value, and a vector-Jacobian product for each operand.

Where operands broadcast, a vector-Jacobian product gives a gradient of the broadcast shape: the node that
receives it sums it down. Of arrays: the adjoint of copying is adding, that of adding is copying, that of
moving is moving back. At the end Tensor gets its operators and methods.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any

import numpy as np

from course.engine.core import BinaryNode, Node, Tensor, attach, clock
from course.engine.recording import mode
from course.engine.values import dtype_of, settle, shape_of

Axis = int | tuple[int, ...] | None
Rule = Callable[..., Any]  # how to compute: a value, or a vector-Jacobian product
new = object.__new__
reduce: Any = np.add.reduce


@functools.cache
def needs(code: CodeType) -> tuple[bool, ...]:
    """Return for each of the two values that a vjp takes after g whether it is needed."""
    return tuple(name[0] != "_" for name in code.co_varnames[1:3])


class Operation:
    """An operation: its name, its value, and for each operand a vector-Jacobian product.

    `forward` computes on plain values. A vjp takes the adjoint g and two values: both operands, or the only
    operand and the output. It is written once with operators, which work on plain values, and on Tensors in a
    pass that is itself recorded. A value whose parameter name begins with `_` is not needed by this vjp.
    """

    def __init__(self, name: str, forward: Rule, *vjps: Rule) -> None:
        self.__name__, self.forward, self.vjps = name, forward, vjps
        self.needs = [needs(vjp.__code__) for vjp in vjps]

    def __call__(self, x: Any) -> Any:
        """Compute the output, and record a node if a gradient is needed; returns a Tensor if x is one."""
        if type(x) is not Tensor:
            return settle(self.forward(settle(x)))
        output, (x_needed, output_needed) = settle(self.forward(x.data)), self.needs[0]
        if x.node is None or not mode.recording:
            return attach(output)
        saved = x.data if x_needed else None, output if output_needed else None
        return attach(output, Node(self, (x.node,), saved, output))


def binary(name: str, forward: Rule, by_a: Rule, by_b: Rule) -> Rule:
    """Return an operation on two operands, a and b: `Operation.__call__`, written out for speed."""
    operation = Operation(name, forward, by_a, by_b)
    (a_for_a, b_for_a), (a_for_b, b_for_b) = operation.needs

    def function(a: Any, b: Any) -> Any:
        left, x = (a.node, a.data) if type(a) is Tensor else (None, settle(a))
        right, y = (b.node, b.data) if type(b) is Tensor else (None, b if type(b) is float else settle(b))
        output = forward(x, y)
        if type(output) is not float:
            output = settle(output)
        if left is right is None or not mode.recording:
            return attach(output) if type(a) is Tensor or type(b) is Tensor else output
        node = BinaryNode()
        node.operation, node.left, node.right = operation, left, right
        node.a = x if (left and a_for_a) or (right and a_for_b) else None
        node.b = y if (left and b_for_a) or (right and b_for_b) else None
        node.adjoint = node.hooks = None
        node.number = next(clock)
        if type(output) is float:
            node.like, node.value = None, output
        else:
            node.describe(output)
        tensor = new(Tensor)
        tensor.data, tensor.grad, tensor.node = output, None, node
        return tensor

    function.__name__, function.__doc__ = name.lower(), f"Return {name.lower()} of a and b, broadcast."
    return function


def divide(a: Any, b: Any) -> Any:
    """Return a / b, which is infinite where b is 0, even if both are Python floats."""
    try:
        return a / b
    except ZeroDivisionError:
        return np.divide(a, b)


def unary(name: str, forward: Rule, vjp: Rule) -> Rule:
    """Return an operation on one operand."""
    operation = Operation(name, forward, vjp)

    def function(x: Any) -> Any:
        return operation(x)

    function.__name__, function.__doc__ = name.lower(), f"Return {name.lower()} of each entry of x."
    return function


def without_gradient(function: Rule) -> Rule:
    """Return a function of plain values that also accepts Tensors: signs, comparisons."""

    def on_tensors(*operands: Any) -> Any:
        value = settle(function(*(x.data if isinstance(x, Tensor) else x for x in operands)))
        return attach(value) if any(isinstance(x, Tensor) for x in operands) else value

    return on_tensors


def where(condition: Any, a: Any, b: Any) -> Any:
    """Return a where the condition holds and b elsewhere; the condition has no gradient."""
    holds = condition.data if isinstance(condition, Tensor) else condition
    by_a, by_b = lambda g, _a, _b: where(condition, g, 0.0), lambda g, _a, _b: where(condition, 0.0, g)
    return binary("Where", lambda a, b: np.where(holds, a, b), by_a, by_b)(a, b)


def sigmoid_of(x: Any) -> Any:
    """Return 1 / (1 + e⁻ˣ), computed from e to the power −|x|, which cannot overflow."""
    e = np.exp(-abs(x))
    return np.where(x >= 0, 1, e) / (1 + e)


add = binary("Add", operator.add, lambda g, _a, _b: g, lambda g, _a, _b: g)
sub = binary("Sub", operator.sub, lambda g, _a, _b: g, lambda g, _a, _b: -g)
mul = binary("Mul", operator.mul, lambda g, _a, b: g * b, lambda g, a, _b: g * a)
div: Any = binary("Div", divide, lambda g, _a, b: div(g, b), lambda g, a, b: div(-g * a, b * b))
neg = unary("Neg", operator.neg, lambda g, _x, _y: -g)

exp = unary("Exp", np.exp, lambda g, _x, y: g * y)
log = unary("Log", np.log, lambda g, x, _y: div(g, x))
sin = unary("Sin", np.sin, lambda g, x, _y: g * cos(x))
cos: Any = unary("Cos", np.cos, lambda g, x, _y: -g * sin(x))
tanh = unary("Tanh", np.tanh, lambda g, _x, y: g * (1 - y * y))
sqrt = unary("Sqrt", np.sqrt, lambda g, _x, y: div(g, 2 * y))
sigmoid = unary("Sigmoid", sigmoid_of, lambda g, _x, y: g * (y * (1 - y)))

# At a kink the derivative is PyTorch's choice, 0.
sign = without_gradient(np.sign)
absolute = unary("Abs", operator.abs, lambda g, x, _y: g * sign(x))
relu = unary("Relu", lambda x: np.maximum(x, 0) if shape_of(x) else max(x, 0.0), lambda g, _x, y: g * (y > 0))


def power_by_x(g: Any, x: Any, p: Any) -> Any:
    """Return g · p·x**(p−1); for x**0 at 0 it is 0, where the formula alone would give 0·∞."""
    return g * (p * power(x, where((x == 0) & (p == 0), 0.0, p - 1)))


def power_by_p(g: Any, x: Any, p: Any) -> Any:
    """Return g · x**p · ln x, which is 0 at 0."""
    return g * (power(x, p) * log(where((x == 0) & (p >= 0), 1.0, x)))


power: Any = binary("Power", np.power, power_by_x, power_by_p)


def broadcast_to(x: Any, shape: tuple[int, ...]) -> Any:
    """Return x broadcast to the shape by NumPy's rules; the node of x sums the gradient."""
    if not isinstance(x, Tensor):  # in a pass that is not recorded, where an Operation would take longer
        return np.full(shape, x)
    copying = Operation("BroadcastTo", lambda x: np.broadcast_to(x, shape), lambda g, _x, _y: g)
    return x if x.shape == shape else copying(x)


def reshape(x: Any, shape: tuple[int, ...]) -> Any:
    """Return x in another shape of the same size."""
    given = shape_of(x)
    return Operation("Reshape", lambda x: np.reshape(x, shape), lambda g, _x, _y: reshape(g, given))(x)


def transpose(x: Any, axes: tuple[int, ...] | None = None) -> Any:
    """Return x with its axes in the given order, reversed by default."""
    back = None if axes is None else tuple(np.argsort(axes).tolist())
    return Operation("Transpose", lambda x: np.transpose(x, axes), lambda g, _x, _y: transpose(g, back))(x)


def astype(x: Any, dtype: Any) -> Any:
    """Return the same numbers in another dtype; integers and booleans have no gradient."""
    given, x = dtype_of(x), x if np.dtype(dtype).kind == "f" else x.detach()
    return Operation("Cast", lambda x: np.asarray(x, dtype)[()], lambda g, _x, _y: astype(g, given))(x)


def index(x: Any, key: Any) -> Any:
    """Return x[key]; the key may select an entry more than once, and Tensors in it count as their data."""
    given, several = shape_of(x), isinstance(key, tuple)
    plain = tuple([k.data if isinstance(k, Tensor) else k for k in (key if several else (key,))])
    place = plain if several else plain[0]
    return Operation("Index", lambda x: x[place], lambda g, _x, _y: scatter(g, place, given))(x)


def scatter(x: Any, key: Any, shape: tuple[int, ...]) -> Any:
    """Return zeros to which x is added at x[key]: the adjoint of index."""

    def forward(x: Any) -> Any:
        total = np.zeros(shape, dtype_of(x))
        np.add.at(total, key, x)  # `total[key] += x` would count a repeated place once
        return total

    return Operation("Scatter", forward, lambda g, _x, _y: index(g, key))(x)


def join(a: Any, b: Any, axis: int) -> Any:
    """Return two arrays joined along an axis."""
    before, size = (slice(None),) * (axis % len(shape_of(a))), shape_of(a)[axis]
    places = (*before, slice(size)), (*before, slice(size, None))
    by_a, by_b = (lambda g, _a, _b, place=place: index(g, place) for place in places)
    return binary("Concatenate", lambda a, b: np.concatenate([a, b], axis), by_a, by_b)(a, b)


def concatenate(parts: Sequence[Any], axis: int = 0) -> Any:
    """Return arrays joined along an axis, one after the other."""
    return functools.reduce(lambda a, b: join(a, b, axis), parts)


def sum(x: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """Return the sum over axes, all of them by default."""
    given = shape_of(x)

    def vjp(g: Any, _x: Any, _y: Any) -> Any:
        if axis is not None and not keepdims:  # first the axes again, with size 1, to copy along
            axes = np.atleast_1d(axis) % len(given)
            g = reshape(g, tuple(1 if i in axes else n for i, n in enumerate(given)))
        return broadcast_to(g, given)

    return Operation("Sum", lambda x: reduce(x, axis=axis, keepdims=keepdims), vjp)(x)


def mean(x: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """Return the mean over axes, all of them by default."""
    total = sum(x, axis, keepdims)
    return total * (total.size / x.size)


product = binary("MatMul", operator.matmul, lambda g, _a, b: g @ b.mT, lambda g, a, _b: a.mT @ g)


def matmul(a: Any, b: Any) -> Any:
    """Return products of (stacks of) matrices; a vector is a row on the left, a column on the right."""
    if len(shape_of(b)) == 1:
        return matmul(a, reshape(b, (-1, 1)))[..., 0]
    return product(a, b) if len(shape_of(a)) > 1 else product(reshape(a, (1, -1)), b)[..., 0, :]


def reflected(operation: Rule) -> Rule:
    """Return an operation with swapped operands: `1 - x` is called with x and 1."""
    return lambda self, other: operation(other, self)


OPERATORS = {"add": add, "sub": sub, "mul": mul, "truediv": div, "pow": power, "matmul": matmul}
for name, operation in OPERATORS.items():
    setattr(Tensor, f"__{name}__", operation)
    setattr(Tensor, f"__r{name}__", reflected(operation))
for name in ("lt", "le", "gt", "ge", "eq", "ne", "and"):
    setattr(Tensor, f"__{name}__", without_gradient(getattr(operator, f"__{name}__")))
for function in (exp, log, sin, cos, tanh, sqrt, relu, sigmoid, sum, mean, astype):
    setattr(Tensor, function.__name__, function)
METHODS = {
    "__neg__": neg,
    "__abs__": absolute,
    "__getitem__": index,
    "__bool__": lambda self: bool(self.item()),
    "__float__": lambda self: float(self.item()),
    "reshape": lambda self, *shape: reshape(self, shape[0] if isinstance(shape[0], tuple) else shape),
    "transpose": lambda self, *axes: transpose(self, axes or None),
    "T": property(transpose),
    "mT": property(lambda self: transpose(self, (*range(self.ndim - 2), self.ndim - 1, self.ndim - 2))),
}
for name, method in METHODS.items():
    setattr(Tensor, name, method)
