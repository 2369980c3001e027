"""Makes tensors for the student's function, and arrays of the tensors that it returns."""

import random
from typing import Any

import numpy as np
import torch

from vjpcheck.errors import WrongReturn, kind
from vjpcheck.probe.torch_tensors import as_array

EARLIER = 7.0  # the `.grad` from the caller's own backward passes
_chance = random.Random(0)


def leaf(array: np.ndarray, requires_grad: bool = True, by_columns: bool = False) -> torch.Tensor:
    """Return a leaf with these values, laid out by rows or by columns.

    A leaf that requires grad may have a `.grad` already.
    """
    tensor = torch.from_numpy(np.array(array, order="F" if by_columns else "C"))
    return with_earlier_gradient(tensor.requires_grad_()) if requires_grad else tensor


def with_earlier_gradient(tensor: torch.Tensor) -> torch.Tensor:
    """Give a leaf a `.grad`, as from the caller's own backward passes, or none; return the leaf.

    The choice is random, so that no argument always has the same.
    """
    tensor.grad = torch.full_like(tensor, EARLIER) if _chance.random() < 0.5 else None
    return tensor


def tensor_values(value: Any, name: str) -> np.ndarray:
    """Return the values of a returned tensor; raises WrongReturn if it is no tensor."""
    if not isinstance(value, torch.Tensor):
        raise WrongReturn(f"{name} must return a Tensor, but returns {kind(value)}.")
    return as_array(value)
