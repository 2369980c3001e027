"""The operators and methods of a Tensor that are made of operations, given to it at the end."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from course.engine import arrays, elementwise
from course.engine.node import mode
from course.engine.reverse import backward
from course.engine.saved import changed, refuse_leaf, version
from course.engine.tensor import Tensor, attach


def reflected(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return an operation with its operands the other way round: `1 - x` comes as x and 1."""
    return lambda self, other: operation(other, self)


def getitem(self: Tensor, key: Any) -> Any:
    """Return self[key]; Tensors in the key count as their data."""
    if isinstance(key, tuple):
        return arrays.index(self, tuple(k.data if isinstance(k, Tensor) else k for k in key))
    return arrays.index(self, key.data if isinstance(key, Tensor) else key)


def reshape(self: Tensor, *shape: Any) -> Any:
    """Return the same entries in another shape, given as a tuple or as numbers."""
    return arrays.reshape(self, shape[0] if isinstance(shape[0], tuple) else shape)


def transpose(self: Tensor, *axes: int) -> Any:
    """Return the axes in another order, reversed by default."""
    return arrays.transpose(self, axes or None)


def matrix_transpose(self: Tensor) -> Any:
    """Return the matrix, or each of a stack, transposed."""
    *stack, rows, columns = range(self.ndim)
    return arrays.transpose(self, (*stack, columns, rows))


def in_place(operation: Callable[[Any, Any], Any]) -> Callable[[Tensor, Any], Tensor]:
    """Return the method that gives a Tensor the value, and the place in the graph, of an operation on it."""

    def method(self: Tensor, other: Any) -> Tensor:
        refuse_leaf(self)
        before = attach(np.copy(self.data) if isinstance(self.data, np.ndarray) else self.data, self.node)
        after = operation(before, other)
        if after.dtype != self.dtype:
            after = arrays.astype(after, self.dtype)
        if after.shape != self.shape:
            raise RuntimeError(f"a Tensor of shape {self.shape} cannot hold a result of shape {after.shape}")
        if isinstance(self.data, np.ndarray):
            self.data[...] = after.data
            changed(self.data)
        else:
            self.data = after.data
        if mode.recording:
            self.node = after.node
        return self

    return method


OPERATORS = {
    "add": elementwise.add,
    "sub": elementwise.sub,
    "mul": elementwise.mul,
    "truediv": elementwise.div,
    "pow": elementwise.power,
    "matmul": arrays.matmul,
}
METHODS = {
    "__neg__": elementwise.neg,
    "__abs__": elementwise.absolute,
    "__getitem__": getitem,
    "__bool__": lambda self: bool(self.item()),
    "__float__": lambda self: float(self.item()),
    "abs": elementwise.absolute,
    "reshape": reshape,
    "transpose": transpose,
    "T": property(arrays.transpose),
    "mT": property(matrix_transpose),
    "astype": arrays.astype,
    "add_": in_place(elementwise.add),
    "mul_": in_place(elementwise.mul),
    "_version": property(lambda self: version(self.data)),
    "backward": backward,
}
for name, operation in OPERATORS.items():
    setattr(Tensor, f"__{name}__", operation)
    setattr(Tensor, f"__r{name}__", reflected(operation))
for name in ("lt", "le", "gt", "ge", "eq", "ne", "and"):
    setattr(Tensor, f"__{name}__", elementwise.without_gradient(getattr(operator, f"__{name}__")))
for name in ("exp", "log", "sin", "cos", "tanh", "sqrt", "relu", "sigmoid"):
    setattr(Tensor, name, getattr(elementwise, name))
for name in ("sum", "mean", "max"):
    setattr(Tensor, name, getattr(arrays, name))
for name, method in METHODS.items():
    setattr(Tensor, name, method)
