"""A softmax that adds across the batch

The weighted sum in `backward` must run over one row. `sum()` without an axis runs over the whole batch,
so each row's gradient contains numbers from the other rows. A small test often has a batch of one. Then
there are no other rows, and `gradcheck` returns True. In training, the loss falls all the same.
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
    """The gradient of a loss that reads only the first row"""
    x = torch.tensor([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], requires_grad=True)
    loss = -f(x)[0, 0].log()
    return torch.autograd.grad(loss, x)[0]
