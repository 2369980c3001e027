"""Tensors for the student's function, and arrays from the tensors that came back."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import torch

from vjpcheck.errors import WrongReturn, kind
from vjpcheck.probe.torch_tensors import as_array

EARLIER = 7.0  # what `.grad` holds from the caller's own backward passes
_chance = random.Random(0)


def leaf(array: np.ndarray, requires_grad: bool = True, by_columns: bool = False) -> torch.Tensor:
    """Return a leaf with these values, laid out by rows or by columns.

    One that requires grad may have a `.grad` already.
    """
    made = torch.from_numpy(np.array(array, order="F" if by_columns else "C"))
    return with_earlier_gradient(made.requires_grad_()) if requires_grad else made


def with_earlier_gradient(made: torch.Tensor) -> torch.Tensor:
    """Give a leaf a `.grad`, as from the caller's own backward passes, or none: the caller may have either.

    Which it is follows no order, so that no argument always has the same.
    """
    made.grad = torch.full_like(made, EARLIER) if _chance.random() < 0.5 else None
    return made


def tensor_values(value: Any, name: str) -> np.ndarray:
    """Return a returned tensor's values; raises WrongReturn if it is none."""
    if not isinstance(value, torch.Tensor):
        raise WrongReturn(f"{name} must return a Tensor, but returns {kind(value)}.")
    return as_array(value)
