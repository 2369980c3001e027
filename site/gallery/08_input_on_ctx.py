"""The tensor that changed after it was saved

`ctx.w = w` keeps the tensor, as `save_for_backward` does, but without its check for later in-place
changes. An optimizer step, a clamp of the weights or a moving average between `forward` and `backward`
makes such a change. PyTorch's own multiplication then raises an error; this Function silently uses the
new values. The
[documentation](https://docs.pytorch.org/docs/stable/generated/torch.autograd.function.FunctionCtx.save_for_backward.html)
gives a second reason for `save_for_backward`: an output on `ctx` is never freed.
"""

import torch
from torch import Tensor
from torch.autograd import Function

MISTAKE = "input-kept-on-ctx"
INPUTS = "randn(3), randn(3)"


class Scale(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.x, ctx.w = x, w
        return x * w

    @staticmethod
    def backward(ctx, grad_output):
        needs_x, needs_w = ctx.needs_input_grad
        grad_x = grad_output * ctx.w if needs_x else None
        grad_w = grad_output * ctx.x if needs_w else None
        return grad_x, grad_w


def reference(x: Tensor, w: Tensor) -> Tensor:
    return x * w


def in_use(f):
    """The gradient for x, with w = 2 in forward"""
    x, w = torch.ones(3, requires_grad=True), torch.full((3,), 2.0)
    y = f(x, w)
    w.mul_(100)
    return torch.autograd.grad(y.sum(), x)[0]
