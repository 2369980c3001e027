"""The cotangent as scratch memory

`backward` writes its result into the cotangent, so the cotangent's value is lost. This value is the factor by
which the loss is scaled: `0.1 * loss` gets the gradient of `loss`. The tensor may also belong to another
branch, which then reads the gradient of this one. The source is an example that trains binary networks well,
because there the loss is the last operation and its cotangent is 1. The fault matters if the loss is scaled,
weighted or added to another: gradient accumulation, mixed precision, several terms.
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = "mutates-grad-output"
INPUTS = "tensor([-0.5, 0.2, 1.5, 3.0]), tensor([1, -1, 1, 1])"
SOURCE = (
    "https://github.com/Xilinx/brevitas/blob/b106358c4169d8a9b68cb2a531aa795417d74887"
    "/src/brevitas_examples/bnn_pynq/models/losses.py#L24"
)


class SquaredHinge(Function):
    @staticmethod
    def forward(ctx, x, target):
        ctx.save_for_backward(x, target)
        return (1 - x * target).clamp(min=0).square().mean()

    @staticmethod
    def backward(ctx, grad_output):
        x, target = ctx.saved_tensors
        slope = -2 * target * (1 - x * target).clamp(min=0) / x.numel()
        return grad_output.resize_as_(slope).copy_(slope), None


class Repaired(SquaredHinge):
    @staticmethod
    def backward(ctx, grad_output):
        x, target = ctx.saved_tensors
        slope = -2 * target * (1 - x * target).clamp(min=0) / x.numel()
        return grad_output * slope, None


def reference(x: Tensor, target: Tensor) -> Tensor:
    return (1 - x * target).clamp(min=0).square().mean()


def in_use(f):
    """The gradient of a tenth of the loss"""
    x, target = torch.zeros(2, requires_grad=True), torch.tensor([1, -1])
    return torch.autograd.grad(0.1 * f(x, target), x)[0]
