"""An axis removed twice

`sum(dim)` has already removed the axis. The `squeeze(dim)` after it removes the next axis too if that has
size 1. A quotient of shapes (2, 1) and (2,) then broadcasts to (2, 2), and each sample receives the means of
both. One axis of the gradient is too long, and PyTorch silently sums over it. Sparse alternatives to softmax
owe much to [entmax](https://arxiv.org/abs/1905.05702), which tests its Functions with `gradcheck`. The fault
matters for inputs with an axis of size 1 beside `dim`: one head, one channel, one query.
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = "gradient-too-large"
INPUTS = "tensor([[[0.5, 1.0, 2.0, -1.0]], [[1.0, 3.0, -2.0, -1.0]]]), -1"
SOURCE = (
    "https://github.com/deep-spin/entmax/blob/c2bec6d5e7d649cba7766c2172d89123ec2a6d70"
    "/entmax/root_finding.py#L253"
)


class CentreActive(Function):
    @staticmethod
    def forward(ctx, x, dim):
        ctx.active, ctx.dim = x > 0, dim
        mean = (x * ctx.active).sum(dim, keepdim=True) / ctx.active.sum(dim, keepdim=True)
        return torch.where(ctx.active, x - mean, 0)

    @staticmethod
    def backward(ctx, grad_output):
        size = ctx.active.sum(ctx.dim)
        mean = (grad_output * ctx.active).sum(ctx.dim) / size.squeeze(ctx.dim)
        return torch.where(ctx.active, grad_output - mean.unsqueeze(ctx.dim), 0), None


class Repaired(CentreActive):
    @staticmethod
    def backward(ctx, grad_output):
        size = ctx.active.sum(ctx.dim)
        mean = (grad_output * ctx.active).sum(ctx.dim) / size
        return torch.where(ctx.active, grad_output - mean.unsqueeze(ctx.dim), 0), None


def reference(x: Tensor, dim: int) -> Tensor:
    active = x > 0
    mean = (x * active).sum(dim, keepdim=True) / active.sum(dim, keepdim=True)
    return torch.where(active, x - mean, 0)


def in_use(f):
    """The gradient of one entry of the first sample"""
    x = torch.tensor([[[0.5, 1.0, 2.0]], [[1.0, 3.0, -2.0]]], requires_grad=True)
    return torch.autograd.grad(f(x, -1)[0, 0, 0], x)[0]
