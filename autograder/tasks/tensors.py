"""Tensors for the student's function, and arrays from the tensors that came back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from autograder.errors import WrongReturn
from autograder.function.torch_tensors import as_array
from autograder.numbers import near
from autograder.tasks.calling import kind

EARLIER = 7.0  # what `.grad` holds from the caller's own backward passes


def leaf(array: np.ndarray, requires_grad: bool = True, by_columns: bool = False) -> torch.Tensor:
    """Return a leaf with these values, laid out by rows or by columns.

    One that requires grad has a `.grad` already, as the caller may have.
    """
    made = torch.from_numpy(np.array(array, order="F" if by_columns else "C"))
    made.requires_grad_(requires_grad)
    made.grad = torch.full_like(made, EARLIER) if requires_grad else None
    return made


def moved(tensors: Sequence[torch.Tensor], originals: Sequence[np.ndarray]) -> list[int]:
    """Return the positions of tensors that have other values than before, rounding aside."""
    return [
        position
        for position, (tensor, original) in enumerate(zip(tensors, originals, strict=True))
        if not near(as_array(tensor), original, 1e-12, 1e-12)
    ]


def tensor_values(value: Any, name: str) -> np.ndarray:
    """Return a returned tensor's values; raises WrongReturn if it is none."""
    if not isinstance(value, torch.Tensor):
        raise WrongReturn(f"{name} must return a Tensor, but returns {kind(value)}.")
    return as_array(value)
