"""A softmax that adds across the batch

The weighted sum in `backward` belongs to one row. `sum()` without an axis adds up the whole batch, so each
row's gradient contains numbers of the other rows. With a batch of one, which is what a small test has,
there are no other rows, and `gradcheck` returns True. The loss falls all the same.
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = "wrong-axis"
INPUTS = "randn(1, 3)"


class Softmax(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.softmax(-1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        weighted = (grad_output * y).sum()
        return y * (grad_output - weighted)


def reference(x: Tensor) -> Tensor:
    return x.softmax(-1)


def in_use(f):
    """The gradient of a loss that reads the first row alone"""
    x = torch.tensor([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], requires_grad=True)
    loss = -f(x)[0, 0].log()
    return torch.autograd.grad(loss, x)[0]
