"""Plain values: the floats and NumPy arrays that Tensors wrap and operations compute with."""

from __future__ import annotations

from typing import Any

import numpy as np

FLOAT64 = np.dtype(np.float64)


def settle(value: Any) -> Any:
    """Give a plain value its one form: a float64 scalar is a Python float, other scalars stay NumPy's.

    Raises TypeError for complex numbers and for whatever is not numeric.
    """
    if type(value) is np.ndarray and value.ndim and value.dtype.kind in "fiub":  # the commonest case, first
        return value
    if isinstance(value, (float, int)):  # np.float64 is a float too
        return value if type(value) in (float, int, bool) else float(value)
    if not isinstance(value, (np.ndarray, np.generic)):
        value = np.asarray(value)
    if value.dtype.kind == "c":
        raise TypeError("complex numbers have no place in this engine: take real and imaginary parts apart")
    if value.dtype.kind not in "fiub":
        raise TypeError(f"a Tensor holds numbers, not {value.dtype}")
    return float(value) if value.ndim == 0 and value.dtype == FLOAT64 else value


def ieee(value: Any) -> Any:
    """Return a float as NumPy's, whose arithmetic follows IEEE 754 to the end; other values as they are."""
    return np.float64(value) if type(value) is float else value


def shape_of(value: Any) -> tuple[int, ...]:
    """Return the shape of a plain value or of a Tensor; that of a number is ()."""
    return getattr(value, "shape", ())


def dtype_of(value: Any) -> np.dtype[Any]:
    """Return the dtype of a plain value or of a Tensor; that of a Python float is float64."""
    return value.dtype if hasattr(value, "dtype") else np.asarray(value).dtype


def is_floating(value: Any) -> bool:
    """Say whether a plain value can have a gradient: floats can, integers and booleans cannot."""
    return type(value) is float or dtype_of(value).kind == "f"


def broadcasts(shape: tuple[int, ...], wider: tuple[int, ...]) -> bool:
    """Say whether NumPy's broadcasting leads from one shape to a wider one."""
    sizes = zip(reversed(shape), reversed(wider), strict=False)
    return len(shape) <= len(wider) and all(n in (1, m) for n, m in sizes)


def unbroadcast(gradient: Any, shape: tuple[int, ...]) -> Any:
    """Sum a gradient over the axes that broadcasting repeated, so that it has the given shape again.

    The adjoint of copying is adding. Takes plain values and Tensors.
    Raises ValueError when no broadcasting leads from the shape to the gradient's.
    """
    given = shape_of(gradient)
    if given == shape:
        return gradient
    new = len(given) - len(shape)
    if new > 0 and given[new:] == shape:
        return gradient.sum(axis=tuple(range(new)))
    if not broadcasts(shape, given):
        raise ValueError(f"a gradient of shape {given} cannot be summed to shape {shape}")
    stretched = (new + i for i, n in enumerate(shape) if n == 1)
    return gradient.sum(axis=(*range(new), *stretched), keepdims=True).reshape(shape)
