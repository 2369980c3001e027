# expected: right
from typing import NamedTuple

import torch
from torch import Tensor


class Saved(NamedTuple):
    x: Tensor

    @property
    def slope(self) -> Tensor:
        return torch.einsum("...,...->...", 3 * self.x, self.x)


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return torch.prod(torch.stack((x, x, x)), dim=0)

    @staticmethod
    def setup_context(ctx, inputs: tuple[Tensor], output: Tensor) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output: Tensor) -> Tensor:
        return Saved(*ctx.saved_tensors).slope.mul(grad_output)
