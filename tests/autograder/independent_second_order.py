"""Hessian products and penalties, judged by torch's Hessian and by a loop over samples."""

from __future__ import annotations

from typing import Any

import torch
from left_alone import agree, left_alone
from torch import Tensor, nn


def _double_well(x: Tensor) -> Tensor:
    return ((x**2 - 1) ** 2).sum() + (x.reshape(-1)[0] * x.reshape(-1)[-1]) ** 3


def _wavy(x: Tensor) -> Tensor:
    return torch.sin(3e4 * x).sum() / 9e8 + torch.exp(x.mean()) * (x**2).sum()


def hessian_vector_product(work: Any) -> bool:
    """Compare with the Hessian of torch, multiplied by v."""
    shapes: list[tuple[tuple[int, ...], bool]] = [
        ((3,), False),
        ((3,), False),
        ((2, 3), False),
        ((1,), False),
    ]
    shapes += [((), False), ((4, 3), True), ((2, 2, 2), False)]
    for fn in (_double_well, _wavy):
        for shape, transposed in shapes:
            draws = [torch.randn(shape[::-1] if transposed else shape, dtype=torch.float64) for _ in "xv"]
            x, v = (drawn.T if transposed else drawn for drawn in draws)
            x.requires_grad_()
            hessian = torch.autograd.functional.hessian(fn, x).reshape(x.numel(), x.numel())
            for direction in (v, torch.zeros_like(v)):
                same, found = left_alone([x, direction], work, fn, x, direction)
                truth = (hessian @ direction.reshape(-1)).reshape(shape)
                scale = float(truth.abs().max()) + 1
                if (
                    not same
                    or not isinstance(found, Tensor)
                    or not agree(found / scale, truth / scale, 3e-11)
                ):
                    return False
    return True


class Waves(nn.Module):
    """Σ a·sin(3e4 x)/3e4 + x·A·x, of shape (n,)."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.A = nn.Parameter(torch.randn(3)), nn.Parameter(torch.randn(3, 3))

    def forward(self, x: Tensor) -> Tensor:
        return torch.sin(3e4 * x) @ self.a / 3e4 + torch.einsum("ni,ij,nj->n", x, self.A, x)


def gradient_penalty(work: Any) -> bool:
    """Compare with a loop over the samples, and the gradients of both in the parameters."""
    network = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 4), nn.Softplus(), nn.Linear(4, 1))
    critics = [network.double(), Waves().double(), nn.Linear(3, 1).double()]
    for critic in [*critics, critics[0]]:
        for samples in (1, 2, 6):
            x = 2 * torch.randn(samples, 3, dtype=torch.float64)
            x[1:2] = 0.0  # where the second critic is 0, and has a slope
            x.requires_grad_()
            parameters = [*critic.parameters()]
            same, found = left_alone([x, *parameters], work, critic, x)
            slopes = [
                torch.autograd.grad(critic(row[None]).sum(), row, create_graph=True)[0] for row in x.unbind()
            ]
            truth = sum((slope.norm() - 1) ** 2 for slope in slopes) / samples
            if (
                not (same and critic.training)
                or not isinstance(found, Tensor)
                or not agree(found, truth, 1e-10)
            ):
                return False
            gradients = [torch.autograd.grad(of, parameters, materialize_grads=True) for of in (found, truth)]
            if not all(agree(f, t, 1e-9) for f, t in zip(*gradients, strict=True)):
                return False
    return True
