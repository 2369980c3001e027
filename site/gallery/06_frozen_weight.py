"""The bias that freezes with the weight

`backward` computes the gradient for `bias` only if the entry of `needs_input_grad` for `weight` is true.
`gradcheck` asks for all gradients at once, so it never tests the other case. If you freeze the weight, as
in fine-tuning, the bias gets no gradient. The optimizer silently skips a parameter whose `.grad` is
`None`.
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = "wrong-needs-input-grad-index"
INPUTS = "randn(2, 2), randn(3, 2), randn(3)"


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        return x @ weight.T + bias

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_x = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_x = grad_output @ weight
        if ctx.needs_input_grad[1]:
            grad_weight = grad_output.T @ x
            grad_bias = grad_output.sum(0)
        return grad_x, grad_weight, grad_bias


def reference(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    return torch.nn.functional.linear(x, weight, bias)


def in_use(f):
    """bias.grad, with a frozen weight"""
    x, weight = torch.ones(4, 2), torch.ones(3, 2)
    x.requires_grad_()
    bias = torch.zeros(3, requires_grad=True)
    f(x, weight, bias).sum().backward()
    return bias.grad
