# expected: wrong
import torch
from torch.autograd.function import once_differentiable


class FiniteDifference(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        ctx.save_for_backward(x)
        ctx.fn, ctx.eps = fn, eps
        return fn(x.detach())

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x = ctx.saved_tensors[0].detach()
        h = ctx.eps * x.abs()
        return g * (ctx.fn(x + h) - ctx.fn(x - h)) / (2 * h), None, None
