"""The operators and methods of a Tensor that are made of operations."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from course.engine import choices, functions, reductions, reverse, shapes
from course.engine.arithmetic import Neg, add, div, mul, sub
from course.engine.choices import constant
from course.engine.node import mode
from course.engine.saved import changed, refuse_leaf, version
from course.engine.tensor import Tensor, attach


class Methods:
    """What Tensor gets from here; where a function does what a method should, it is the method."""

    __slots__ = ()

    data: Any

    __add__, __sub__, __mul__, __truediv__ = add, sub, mul, div
    __pow__, __matmul__ = functions.power, reductions.matmul
    exp, log, sqrt, sigmoid = functions.exp, functions.log, functions.sqrt, functions.sigmoid
    sin, cos, tanh, relu = functions.sin, functions.cos, functions.tanh, choices.relu
    __abs__ = abs = choices.absolute
    sum, mean, max = reductions.sum, reductions.mean, reductions.max
    __hash__ = object.__hash__  # a Tensor is a key as itself, whatever == compares

    def __radd__(self, other: Any) -> Tensor:
        return add(other, self)

    def __rsub__(self, other: Any) -> Tensor:
        return sub(other, self)

    def __rmul__(self, other: Any) -> Tensor:
        return mul(other, self)

    def __rtruediv__(self, other: Any) -> Tensor:
        return div(other, self)

    def __rpow__(self, other: Any) -> Tensor:
        return functions.power(other, self)

    def __rmatmul__(self, other: Any) -> Tensor:
        return reductions.matmul(other, self)

    def __neg__(self) -> Tensor:
        return Neg().of(self)

    def __getitem__(self, key: Any) -> Tensor:
        keys = key if isinstance(key, tuple) else (key,)
        plain = tuple(k.data if isinstance(k, Tensor) else k for k in keys)
        return shapes.Index(plain if isinstance(key, tuple) else plain[0]).of(self)

    def __lt__(self, other: Any) -> Tensor:
        return constant(operator.lt, self, other)

    def __le__(self, other: Any) -> Tensor:
        return constant(operator.le, self, other)

    def __gt__(self, other: Any) -> Tensor:
        return constant(operator.gt, self, other)

    def __ge__(self, other: Any) -> Tensor:
        return constant(operator.ge, self, other)

    def __eq__(self, other: Any) -> Tensor:  # type: ignore[override]
        return constant(operator.eq, self, other)

    def __ne__(self, other: Any) -> Tensor:  # type: ignore[override]
        return constant(operator.ne, self, other)

    def __and__(self, other: Any) -> Tensor:
        return constant(operator.and_, self, other)

    def reshape(self, *shape: Any) -> Tensor:
        """Return the same entries in another shape, given as a tuple or as numbers."""
        return shapes.reshape(self, shape[0] if isinstance(shape[0], tuple) else shape)

    def transpose(self, *axes: int) -> Tensor:
        """Return the axes in another order, reversed by default."""
        return shapes.transpose(self, axes or None)

    @property
    def T(self) -> Tensor:  # noqa: N802
        """The transpose."""
        return shapes.transpose(self)

    @property
    def mT(self) -> Tensor:  # noqa: N802
        """The matrix, or each of a stack, transposed."""
        order = tuple(range(len(self.data.shape)))
        return shapes.transpose(self, (*order[:-2], order[-1], order[-2]))

    def astype(self, dtype: Any) -> Tensor:
        """Return the same numbers in another dtype."""
        return shapes.Cast(dtype).of(self)

    def add_(self, other: Any) -> Tensor:
        """Add in place."""
        return replace(cast(Tensor, self), lambda before: before + other)

    def mul_(self, other: Any) -> Tensor:
        """Multiply in place."""
        return replace(cast(Tensor, self), lambda before: before * other)

    @property
    def _version(self) -> int:
        """How often the data was changed in place."""
        return version(self.data)

    def backward(
        self, gradient: Tensor | None = None, retain_graph: bool | None = None, create_graph: bool = False
    ) -> None:
        """Add to the `.grad` of each leaf; see course.engine.reverse.backward."""
        reverse.backward(cast(Tensor, self), gradient, retain_graph, create_graph)


def replace(x: Tensor, operation: Callable[[Tensor], Tensor]) -> Tensor:
    """Give x the value and the place in the graph of an operation on what it was."""
    refuse_leaf(x)
    before = attach(np.copy(x.data) if isinstance(x.data, np.ndarray) else x.data, x.node)
    after = operation(before)
    if after.dtype != x.dtype:
        after = after.astype(x.dtype)
    if after.shape != x.shape:
        raise RuntimeError(f"a Tensor of shape {x.shape} cannot hold a result of shape {after.shape}")
    if isinstance(x.data, np.ndarray):
        x.data[...] = after.data
        changed(x.data)
    else:
        x.data = after.data
    if mode.recording:
        x.node = after.node
    return x


for name, method in vars(Methods).items():
    if name not in ("__doc__", "__module__", "__slots__", "__annotations__"):
        setattr(Tensor, name, method)
