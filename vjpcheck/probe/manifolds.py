"""Projects inputs onto the set on which they must stay, so that differences along it are differences there.

A projection p leaves each point of its set unchanged. If F is a Function, the gradient of F(p(x)) at such a
point is the part of F's gradient along the set, which is all that F determines.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

ITERATIONS = 5  # from within 0.1 of an orthogonal matrix to all digits


def symmetric(x: Tensor) -> Tensor:
    """Return the symmetric part of a batch of matrices."""
    return (x + x.mT) / 2


def orthogonal(x: Tensor) -> Tensor:
    """Return the nearest matrices with orthonormal columns, by Newton's iteration (Higham, 2008, ch. 8)."""
    identity = torch.eye(x.shape[-1], dtype=x.dtype, device=x.device)
    for _ in range(ITERATIONS):
        x = x @ (3 * identity - x.mT @ x) / 2
    return x


def simplex(x: Tensor) -> Tensor:
    """Return rows that sum to 1."""
    return x / x.sum(-1, keepdim=True)


def sphere(x: Tensor) -> Tensor:
    """Return rows of length 1."""
    length: Tensor = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    return x / length


def ordered(x: Tensor) -> Tensor:
    """Return rows in ascending order: near an ordered row nothing moves."""
    return x.sort(-1).values


MANIFOLDS: dict[str, Callable[[Tensor], Tensor]] = {
    "symmetric": symmetric,
    "positive definite": symmetric,  # an open set among the symmetric matrices
    "orthogonal": orthogonal,
    "simplex": simplex,
    "sphere": sphere,
    "ordered": ordered,
}
