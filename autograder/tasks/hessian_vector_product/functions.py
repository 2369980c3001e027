"""Scalar functions of a tensor for student code, which calls them as fn, by name."""

from collections.abc import Callable

import torch
from torch import Tensor


def _quadratic(x: Tensor) -> Tensor:
    """Return x·A·x for a matrix that is not symmetric: the Hessian is A + Aᵀ."""
    flat = x.reshape(-1)
    size = flat.numel()
    matrix = torch.arange(1.0, size * size + 1, dtype=x.dtype).reshape(size, size) / size
    return flat @ matrix @ flat


FUNCTIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "x1**2 + 3 x1 x2": lambda x: x[0] ** 2 + 3 * x[0] * x[1],
    "quadratic": _quadratic,
    # a slow and a fast term, each with a Hessian of size 1: no step suits both
    "(sum of squares)**2 + sum of sin(100000 x) / 10**10": lambda x: (
        (x * x).sum() ** 2 + torch.sin(1e5 * x).sum() / 1e10
    ),
    "rosenbrock": lambda x: (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum(),
    "sum of sines times sum of squares": lambda x: torch.sin(x).sum() * (x * x).sum(),
    # tanh leaves one tanh_backward in the record for each backward pass through it
    "chain of tanh": lambda x: (torch.tanh(x[1:] * x[:-1]) ** 2).sum(),
}
