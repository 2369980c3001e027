"""Straight-through without its window

The derivative of `sign` is 0, so binary networks pass the gradient straight through, but only for
|x| ≤ 1. `gradcheck` cannot help: it rejects every straight-through gradient, right or wrong. Without the
window, weights that no longer have any influence keep growing. The algorithm of binarized neural networks
has the window ([Courbariaux et al., 2016](https://arxiv.org/abs/1602.02830)), but in code it is [easy to
miss](https://github.com/MatthieuCourbariaux/BinaryNet/issues/17). `reference` defines the gradient that
is meant, and the card compares with it.
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = "missing-mask"
INPUTS = "tensor([-1.5, -0.5, 0.5, 1.5])"


class Sign(Function):
    @staticmethod
    def forward(ctx, x):
        return x.sign()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


def reference(x: Tensor) -> Tensor:
    window = x.clamp(-1, 1)
    return window + (x.sign() - window).detach()


def in_use(f):
    """A weight of 1.2 after 100 steps"""
    w = torch.tensor([1.2], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        (5 - f(w)).sum().backward()
        optimizer.step()
    return w.detach()
