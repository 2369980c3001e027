"""PyTorch's own tutorial: a statistic kept on ctx

`forward` computes the mean and the standard deviation and keeps them on `ctx`, and `backward` uses
them. The formula is right, and so is the first derivative. But the graph does not record how the two
statistics were computed, so their terms of the second derivative are lost. `FusedConvBN2DFunction` in
[a PyTorch
tutorial](https://docs.pytorch.org/tutorials/intermediate/custom_function_conv_bn_tutorial.html) does
this; the Function below is its normalisation. [PyTorch's own issue about
it](https://github.com/pytorch/pytorch/issues/58509) asks for a warning.
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = "intermediate-kept-on-ctx"
INPUTS = "randn(4, 2)"


class Normalise(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mean = x.mean(0)
        ctx.std = x.std(0, correction=0)
        ctx.save_for_backward(x)
        return (x - ctx.mean) / ctx.std

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        y = (x - ctx.mean) / ctx.std
        along_y = (grad_output * y).mean(0)
        return (grad_output - grad_output.mean(0) - y * along_y) / ctx.std


def reference(x: Tensor) -> Tensor:
    return (x - x.mean(0)) / x.std(0, correction=0)


def in_use(f):
    """The gradient of a gradient penalty"""
    x = torch.tensor([[1.0], [2.0], [4.0]], requires_grad=True)
    (slope,) = torch.autograd.grad(f(x).pow(3).sum(), x, create_graph=True)
    return torch.autograd.grad(slope.square().sum(), x)[0].flatten()
