"""Scalar functions of a tensor that student code is given as fn, by name."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor


def _quadratic(x: Tensor) -> Tensor:
    """Return x·A·x for a matrix that is not symmetric: the Hessian is A + Aᵀ."""
    flat = x.reshape(-1)
    size = flat.numel()
    matrix = torch.arange(1.0, size * size + 1, dtype=x.dtype).reshape(size, size) / size
    return flat @ matrix @ flat


def _rosenbrock(x: Tensor) -> Tensor:
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


FUNCTIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "quadratic": _quadratic,
    "rosenbrock": _rosenbrock,
    "sum of sines times sum of squares": lambda x: torch.sin(x).sum() * (x * x).sum(),
    # tanh leaves one tanh_backward in the record for each backward pass through it
    "chain of tanh": lambda x: (torch.tanh(x[1:] * x[:-1]) ** 2).sum(),
}
