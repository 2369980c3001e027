"""The killed head, killed in place

`backward` writes zeros into the cotangent and returns it. The engine may have given the same tensor to
another branch of the graph, and that branch then reads the zeros. Whether this happens depends on the
order in which the two branches run. Libraries of GPU kernels write in place on purpose, to save memory:
[Are you even allowed to do these ops inplace?](https://github.com/linkedin/Liger-Kernel/issues/254)
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = "mutates-grad-output"
INPUTS = "randn(2, 3), 1"


class KillHead(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, grad_output):
        grad_output[:, : ctx.n] = 0
        return grad_output, None


def reference(x: Tensor, n: int) -> Tensor:
    return torch.cat([torch.zeros_like(x[:, :n]), x[:, n:]], dim=1)


def in_use(f):
    """The gradient for another branch"""
    x, other = torch.ones(2, 3, requires_grad=True), torch.ones(2, 3, requires_grad=True)
    loss = (5 * (f(x, 1) + other)).sum()
    return torch.autograd.grad(loss, (x, other))[1]
