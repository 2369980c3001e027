"""The mask on the wrong side

`backward` blocks entries where the *cotangent* is negative, as well as those where the input is.
`gradcheck` uses cotangents of 0 and 1, none of them negative. A backward must be linear in its cotangent,
and this one is not. As a way to make saliency maps it is called guided backpropagation ([Springenberg et
al., 2015](https://arxiv.org/abs/1412.6806)); as a gradient it is wrong.
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = "mask-on-gradient"
INPUTS = "randn(2, 2)"


class Relu(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output.clamp(min=0) * (x > 0)


def reference(x: Tensor) -> Tensor:
    return x.relu()


def in_use(f):
    """The gradient of a loss that falls as the output grows"""
    x = torch.tensor([-1.0, 2.0, 3.0], requires_grad=True)
    loss = (10 - f(x)).sum()
    return torch.autograd.grad(loss, x)[0]
