"""A mean where a parameter is shared

A layer that solves a batch of problems may share a parameter among them. The gradient for this parameter is
the sum over the problems. Here `backward` takes the mean, so the gradient is too small by a factor of the
batch size. [OptNet](https://arxiv.org/abs/1703.00443) and its library have made quadratic programs a layer
that anybody can use. The fault matters for a shared cost or constraint in a batch of two or more problems; if
every parameter has a batch axis, all gradients are right.
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = "mean-instead-of-sum"
INPUTS = "rand(3, 2) + 1, randn(2)"
SOURCE = "https://github.com/locuslab/qpth/blob/528e9f629c7d0cfeef766bbcf4902e2fe264c61c/qpth/qp.py#L177"


class Minimum(Function):
    @staticmethod
    def forward(ctx, q, p):  # of q z² / 2 + p z, over z
        ctx.save_for_backward(q, p)
        return -p / q

    @staticmethod
    def backward(ctx, grad_output):
        q, p = ctx.saved_tensors
        return grad_output * p / q**2, (-grad_output / q).mean(0)


class Repaired(Minimum):
    @staticmethod
    def backward(ctx, grad_output):
        q, p = ctx.saved_tensors
        return grad_output * p / q**2, (-grad_output / q).sum(0)


def reference(q: Tensor, p: Tensor) -> Tensor:
    return -p / q


def in_use(f):
    """The gradient for a cost that four problems share"""
    q, p = torch.ones(4, 2), torch.ones(2, requires_grad=True)
    return torch.autograd.grad(f(q, p).sum(), p)[0]
