"""The engine's Tensors from plain arrays, and plain arrays from Tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.function.arguments import Argument
from course.engine import Tensor

Flags = Sequence[bool]
Cotangents = Sequence[np.ndarray | None]


def as_tensors(arguments: Sequence[Any], requires: Flags) -> list[Any]:
    """Return fresh Tensors in place of arrays, leaves that require grad where the flag is set.

    A list of integers is an index, which the engine takes as a NumPy array.
    """
    return [_made(argument, flag) for argument, flag in zip(arguments, requires, strict=True)]


def _made(argument: Any, requires_grad: bool) -> Any:
    if isinstance(argument, np.ndarray):
        return Tensor(argument, requires_grad=requires_grad)
    return np.array(argument) if isinstance(argument, list) else argument


def as_cotangents(arrays: Sequence[Argument], requires_grad: bool = False) -> list[Any]:
    """Return a Tensor for each array; None, for an output that is left out, stays None."""
    return [None if array is None else Tensor(array, requires_grad) for array in arrays]


def as_array(tensor: Tensor) -> np.ndarray:
    """Return a copy of the values."""
    return np.array(tensor.data)


def spread_tensors(found: Sequence[Tensor | None], flags: Flags) -> list[Tensor | None]:
    """Return one entry a flag: the next of `found` where it is set, and None elsewhere."""
    remaining = iter(found)
    return [next(remaining) if flag else None for flag in flags]


def spread(found: Sequence[Tensor | None], flags: Flags) -> list[np.ndarray | None]:
    """Return the same as arrays."""
    return [None if tensor is None else as_array(tensor) for tensor in spread_tensors(found, flags)]


def changed(given: Sequence[Any], originals: Sequence[Any]) -> list[int]:
    """Return the positions whose Tensor or index was written to."""
    return [
        position
        for position, (value, original) in enumerate(zip(given, originals, strict=True))
        if isinstance(value, (Tensor, np.ndarray))
        and not np.array_equal(value.data if isinstance(value, Tensor) else value, np.asarray(original))
    ]
