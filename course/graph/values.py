"""Values from arrays, and the sums that the backward pass makes of them."""

import math
from typing import Any

import numpy as np

from course.graph.model import Value

ENTRIES = 64  # larger arrays keep their shape alone: a picture cannot show more


def of_array(array: Any) -> Value:
    """Describe a NumPy array or scalar; entries are kept for real dtypes and at most `ENTRIES` of them."""
    if type(array) is float:  # most of what the engine holds
        return Value((), "float64", 8, array)
    array = np.asarray(array)
    entries = array.tolist() if array.size <= ENTRIES and array.dtype.kind in "fiub" else None
    return Value(array.shape, str(array.dtype), array.nbytes, entries)


def plus(left: Value | None, right: Value | None) -> Value | None:
    """Add two products that meet at a node; None, no gradient, counts for nothing."""
    if left is None or right is None:
        return left or right
    if left.entries is None or right.entries is None:
        return Value(left.shape, left.dtype, left.nbytes)
    if left.dtype == "float64" and isinstance(left.entries, float) and isinstance(right.entries, float):
        return Value(left.shape, left.dtype, left.nbytes, left.entries + right.entries)
    try:
        dtype = np.dtype(left.dtype)
    except TypeError:  # bfloat16 and the like, which NumPy does not have
        dtype = np.dtype(float)
    total = np.asarray(left.entries, dtype) + np.asarray(right.entries, dtype)
    return Value(left.shape, left.dtype, left.nbytes, total.tolist())


def ratio(product: float, adjoint: float) -> float | None:
    """Recover a local derivative from the product that it gave; None where the adjoint does not let it."""
    return product / adjoint if adjoint != 0 and math.isfinite(adjoint) else None
