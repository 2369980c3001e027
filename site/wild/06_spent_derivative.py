"""A derivative that is right only once

`forward` computes the derivative and keeps it on ctx, so `backward` needs only one product. `backward`
multiplies in place, which saves memory but overwrites the derivative: the next pass through the same graph
starts from the product. The tensor was not given to `save_for_backward`, so PyTorch does not notice. The
first pass is right. The fault matters whenever a graph is used twice: `retain_graph=True`, a Jacobian row by
row, a loss per task.
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = "mutates-saved-tensor"
INPUTS = "randn(3)"
SOURCE = (
    "https://github.com/CoinCheung/pytorch-loss/blob/67d015844e4597c3ff6895fc831cd22ac7d59299"
    "/pytorch_loss/swish.py#L38"
)


class Swish(Function):
    @staticmethod
    def forward(ctx, x):
        sigmoid = x.sigmoid()
        ctx.grad = sigmoid * (1 + x * (1 - sigmoid))
        return x * sigmoid

    @staticmethod
    def backward(ctx, grad_output):
        grad = ctx.grad
        grad *= grad_output
        return grad


class Repaired(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x.sigmoid()

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        sigmoid = x.sigmoid()
        return grad_output * sigmoid * (1 + x * (1 - sigmoid))


def reference(x: Tensor) -> Tensor:
    return x * x.sigmoid()


def in_use(f):
    """The gradient of the second of two losses, after that of the first"""
    x = torch.ones(2, requires_grad=True)
    y = f(x)
    torch.autograd.grad(y[0], x, retain_graph=True)
    return torch.autograd.grad(y[1], x)[0]
