"""The diagonal softmax

`y * (1 - y)` is the derivative of each output by its *own* input, copied from the sigmoid. In a softmax
each output depends on every input through the sum, so the Jacobian is full. The diagonal has the right
numbers, the loss still falls, and only the rest is missing.
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = "diagonal-only"
INPUTS = "randn(3)"


class Softmax(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.softmax(-1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output * y * (1 - y)


def reference(x: Tensor) -> Tensor:
    return x.softmax(-1)


def in_use(f):
    """The gradient for the logits, right class 0"""
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    loss = -f(x)[0].log()
    return torch.autograd.grad(loss, x)[0]
