"""Operations in place: a Tensor takes on a new value, and the nodes that had saved the old one notice."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.engine.node import mode
from course.engine.saved import changed
from course.engine.tensor import AccumulateGrad, Tensor, attach


def refuse_leaf(x: Tensor) -> None:
    """Raise RuntimeError for a leaf whose gradient is wanted: with its value gone, so would the leaf be."""
    if mode.recording and isinstance(x.node, AccumulateGrad):
        raise RuntimeError(
            "a leaf that requires a gradient is being used in an in-place operation: "
            "do it inside no_grad(), or on a Tensor computed from the leaf"
        )


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
