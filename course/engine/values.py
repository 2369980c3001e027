"""What Tensors hold and nodes save: plain values, which are Python floats and NumPy arrays."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

FLOAT64 = np.dtype(np.float64)


def settle(value: Any) -> Any:
    """Give a plain value its one form: a float64 or integer scalar is Python's, a float32 stays NumPy's.

    Raises TypeError for complex numbers and for whatever is not numeric.
    """
    if type(value) is float or (type(value) is np.ndarray and value.ndim and value.dtype.kind in "fiub"):
        return value  # the commonest case, first
    value = value if isinstance(value, (np.ndarray, np.generic)) else np.asarray(value)
    if value.dtype.kind not in "fiub":
        raise TypeError(f"a Tensor holds real numbers, not {value.dtype}")
    return value if value.ndim or (value.dtype.kind == "f" and value.dtype != FLOAT64) else value.item()


def shape_of(value: Any) -> tuple[int, ...]:
    """Return the shape of a plain value or of a Tensor; that of a number is ()."""
    return getattr(value, "shape", ())


def dtype_of(value: Any) -> np.dtype[Any]:
    """Return the dtype of a plain value or of a Tensor; that of a Python float is float64."""
    return cast("np.dtype[Any]", value.dtype) if hasattr(value, "dtype") else np.asarray(value).dtype


def is_floating(value: Any) -> bool:
    """Say whether a plain value can have a gradient: floats can, integers and booleans cannot."""
    return type(value) is float or dtype_of(value).kind == "f"


def unbroadcast(gradient: Any, shape: tuple[int, ...]) -> Any:
    """Sum a gradient over the axes that broadcasting repeated, so that it has the given shape again.

    The adjoint of copying is adding. Takes plain values and Tensors.
    Raises ValueError when no broadcasting leads from the shape to the gradient's.
    """
    given = shape_of(gradient)
    made = len(given) - len(shape)  # axes in front, which the shape does not have
    if made >= 0 and given[made:] == shape:
        return gradient.sum(axis=tuple(range(made)))
    if made < 0 or any(n not in (1, m) for n, m in zip(shape, given[made:], strict=True)):
        raise ValueError(f"a gradient of shape {given} cannot be summed to shape {shape}")
    ones = (made + i for i, n in enumerate(shape) if n == 1)
    return gradient.sum(axis=(*range(made), *ones), keepdims=True).reshape(shape)
