"""The clamped input, saved

`forward` clamps x and saves the clamped tensor. This tensor is neither an input nor an output, so the graph
does not know that it comes from x: the second derivative is 0 everywhere, and a gradient penalty trains
nothing. The first derivative is right. Clamping keeps [hyperbolic
embeddings](https://arxiv.org/abs/1904.02239) inside their ball and is worth copying. The fault matters for
gradients of gradients: penalties, Hessian-vector products, meta-learning. [Graph
networks](https://github.com/HazyResearch/hgcn/blob/a526385744da25fc880f3da346e17d0fe33817f8/utils/math_utils.py#L33)
have the same Function.
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = "intermediate-kept-on-ctx"
INPUTS = "tensor([-0.7, 0.2, 0.5])"
SOURCE = (
    "https://github.com/leymir/hyperbolic-image-embeddings/blob/6633edbbeffd6d90271f0963852a046c64f407d6"
    "/hyptorch/pmath.py#L20"
)


class Artanh(Function):
    @staticmethod
    def forward(ctx, x):
        x = x.clamp(-0.99, 0.99)
        ctx.save_for_backward(x)
        return x.atanh()

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output / (1 - x**2)


class Repaired(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(-0.99, 0.99).atanh()

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return torch.where(x.abs() < 0.99, grad_output / (1 - x**2), 0)


def reference(x: Tensor) -> Tensor:
    return x.clamp(-0.99, 0.99).atanh()


def in_use(f):
    """The gradient of a loss with a gradient penalty"""
    x = torch.tensor([0.5, 0.9], requires_grad=True)
    y = f(x).sum()
    (slope,) = torch.autograd.grad(y, x, create_graph=True)
    return torch.autograd.grad(y + slope.square().sum(), x)[0]
