"""Changes of shape and of place: the adjoint of copying is adding, that of moving is moving back."""
# ruff: noqa: D102  what forward and vjp do is said in Operation

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from course.engine.operation import Operation
from course.engine.tensor import Tensor
from course.engine.values import shape_of


class BroadcastTo(Operation):
    """Repetition along new axes and axes of size 1; the core sums the gradient down again."""

    __slots__ = ("wanted",)

    def __init__(self, wanted: tuple[int, ...]) -> None:
        self.wanted = wanted

    def forward(self, x: Any) -> Any:
        return np.full(self.wanted, x) if type(x) is float else np.broadcast_to(x, self.wanted)

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


class Index(Operation):
    """x[key], where the key may pick an entry more than once."""

    __slots__ = ("given", "key")

    def __init__(self, key: Any) -> None:
        self.key = key

    def forward(self, x: Any) -> Any:
        self.given = shape_of(x)
        return x[self.key]

    def vjp(self, g: Any, saved: Any) -> Any:
        return Scatter(self.key, self.given).of(g)


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
        return Index(self.key).of(g)


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
        return tuple(Index((*before, slice(i, j))).of(g) for i, j in zip(starts, self.ends, strict=True))


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
        return Cast(self.given).of(g)


def broadcast_to(x: Any, shape: tuple[int, ...]) -> Tensor:
    """Return x repeated to the shape, by NumPy's rules."""
    return x if shape_of(x) == shape else BroadcastTo(shape).of(x)


def reshape(x: Any, shape: tuple[int, ...]) -> Tensor:
    """Return x in another shape of the same size."""
    return x if shape_of(x) == shape else Reshape(shape).of(x)


def transpose(x: Any, axes: tuple[int, ...] | None = None) -> Tensor:
    """Return x with its axes in the order given, reversed by default."""
    return Transpose(tuple(reversed(range(len(shape_of(x))))) if axes is None else axes).of(x)


def concatenate(parts: Sequence[Any], axis: int = 0) -> Tensor:
    """Return arrays joined along an axis."""
    return Concatenate(axis).of(*parts)
