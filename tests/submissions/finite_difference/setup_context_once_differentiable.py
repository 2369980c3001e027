# expected: right
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


def central(fn, x, eps):
    return (fn(x + eps) - fn(x - eps)) / (eps + eps)


class FiniteDifference(Function):
    @staticmethod
    def forward(x, fn, eps):
        return fn(x.detach())

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.fn, ctx.eps = inputs
        ctx.save_for_backward(x)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        if not ctx.needs_input_grad[0]:
            return None, None, None
        (x,) = ctx.saved_tensors
        return central(ctx.fn, x.detach(), ctx.eps).mul_(g), None, None
