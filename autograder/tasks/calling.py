"""What the probes of the tasks have in common: arguments made of arrays, arrays read from what came back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from autograder.errors import WrongReturn
from autograder.function.tensors import as_array
from autograder.result import CannotRun


def require_callable(work: Any, name: str) -> Callable[..., Any]:
    """Return the work; raises CannotRun if it cannot be called."""
    if not callable(work):
        raise CannotRun(f"{name} must be a function, but it is a {type(work).__name__}.")
    return work  # type: ignore[no-any-return]


def leaf(array: np.ndarray, requires_grad: bool = True) -> torch.Tensor:
    """Return a leaf with these values."""
    return torch.tensor(array, requires_grad=requires_grad)


def moved(tensors: Sequence[torch.Tensor], originals: Sequence[np.ndarray]) -> list[int]:
    """Return the positions of tensors that have other values than before, rounding aside."""
    return [
        position
        for position, (tensor, original) in enumerate(zip(tensors, originals, strict=True))
        if tensor.shape != original.shape
        or not np.allclose(as_array(tensor), original, rtol=1e-12, atol=1e-12)
    ]


def kind(value: Any) -> str:
    """Return what a value is, as a sentence says it: `None`, `a list`, `an int`."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def tensor_values(value: Any, name: str) -> np.ndarray:
    """Return a returned tensor's values; raises WrongReturn if it is none."""
    if not isinstance(value, torch.Tensor):
        raise WrongReturn(f"{name} must return a Tensor, and returns {kind(value)}.")
    return as_array(value)
