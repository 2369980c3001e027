"""A cotangent that is not contiguous

`backward` reads the cotangent in memory order, like a C or Triton kernel that gets a pointer. `gradcheck`
uses contiguous cotangents. Behind a transpose, a slice or a `cat`, the cotangent is not contiguous, and
the numbers land in the wrong places. This happened in
[FlashAttention](https://github.com/Dao-AILab/flash-attention/issues/355), and [PyTorch's maintainers
write](https://github.com/pytorch/pytorch/pull/195210) that neither `gradcheck` nor `opcheck` can detect
it.
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = "assumes-contiguous"
INPUTS = "randn(2, 3)"


class Sine(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        in_memory = grad_output.as_strided(x.shape, (x.shape[1], 1))
        return in_memory * x.cos()


def reference(x: Tensor) -> Tensor:
    return x.sin()


def in_use(f):
    """The gradient behind a transpose"""
    x = torch.zeros(2, 3, requires_grad=True)
    loss = (f(x).T * torch.arange(6.0).reshape(3, 2)).sum()
    return torch.autograd.grad(loss, x)[0]
