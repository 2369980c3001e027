"""The unsummed bias

`forward` adds one number per channel, `bias[:, None]`, and `backward` returns the cotangent unchanged.
With 3 channels and 5 columns, PyTorch raises an error. With 3 and 3 it does not: the engine sums the
matrix to the shape of `bias` by the broadcasting rules, which means along the *other* axis. A bias along
the last axis would even get the right gradient.
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = "missing-unbroadcast"
INPUTS = "randn(3, 3), randn(3)"


class AddPerChannel(Function):
    @staticmethod
    def forward(ctx, x, bias):
        return x + bias[:, None]

    @staticmethod
    def backward(ctx, grad_output):
        needs_x, needs_bias = ctx.needs_input_grad
        return grad_output if needs_x else None, grad_output if needs_bias else None


def reference(x: Tensor, bias: Tensor) -> Tensor:
    return x + bias[:, None]


def in_use(f):
    """The gradient for bias"""
    x, bias = torch.zeros(3, 3), torch.zeros(3, requires_grad=True)
    loss = (f(x, bias) * torch.arange(9.0).reshape(3, 3)).sum()
    return torch.autograd.grad(loss, bias)[0]
