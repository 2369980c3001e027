"""A second derivative that is silently wrong

`.detach()` in `backward` looks harmless, because second derivatives are rare. But a gradient penalty, a
Hessian-vector product or a meta-learning loop needs them. Double backward then treats the detached tensor
as a constant and leaves out its term, so training goes on with a penalty that has no effect. PyTorch's
tutorial [Double Backward with Custom
Functions](https://docs.pytorch.org/tutorials/intermediate/custom_function_double_backward_tutorial.html)
explains what you may save.
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = "detached-in-backward"
INPUTS = "randn(3)"


class Tanh(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.tanh()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        y = ctx.saved_tensors[0].detach()
        return grad_output * (1 - y * y)


def reference(x: Tensor) -> Tensor:
    return x.tanh()


def in_use(f):
    """The gradient of a loss with a gradient penalty"""
    x = torch.tensor([0.5, 1.0], requires_grad=True)
    y = f(x).sum()
    (slope,) = torch.autograd.grad(y, x, create_graph=True)
    return torch.autograd.grad(y + 10 * slope.square().sum(), x)[0]
