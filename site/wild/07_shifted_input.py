"""The input, shifted for stability

Subtracting the maximum keeps `exp` and `cumsum` in range, and every good softmax does it. Here the
subtraction is in place, so it shifts the caller's own scores, and later operations on them use other numbers.
The sparse attention of [TabNet](https://arxiv.org/abs/1908.07442) does not use its scores again, so nothing
goes wrong there. The fault matters if the scores are used again: a residual, a penalty, a temperature, a log.
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = "mutates-input"
INPUTS = "randn(2, 3)"
SOURCE = (
    "https://github.com/dreamquark-ai/tabnet/blob/2c0c4ebd2bb1cb639ea94ab4b11823bc49265588"
    "/pytorch_tabnet/sparsemax.py#L51"
)


class Softmax(Function):
    @staticmethod
    def forward(ctx, x):
        x -= x.amax(-1, keepdim=True)
        y = x.exp() / x.exp().sum(-1, keepdim=True)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return y * (grad_output - (grad_output * y).sum(-1, keepdim=True))


class Repaired(Softmax):
    @staticmethod
    def forward(ctx, x):
        x = x - x.amax(-1, keepdim=True)
        y = x.exp() / x.exp().sum(-1, keepdim=True)
        ctx.save_for_backward(y)
        return y


def reference(x: Tensor) -> Tensor:
    x = x - x.amax(-1, keepdim=True)
    return x.exp() / x.exp().sum(-1, keepdim=True)


def in_use(f):
    """The gradient of a loss with a penalty on the scores"""
    x = torch.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
    scores = 1 * x
    return torch.autograd.grad(f(scores)[0, 0] + scores.square().sum(), x)[0]
