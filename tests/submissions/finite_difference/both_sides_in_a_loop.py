# expected: right
import torch
from torch.autograd.function import once_differentiable


class FiniteDifference(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        ctx.x, ctx.fn, ctx.eps = x.detach().clone(), fn, eps
        return fn(ctx.x)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        total = 0
        for side in (1, -1):
            total = total + side * ctx.fn(ctx.x + side * ctx.eps)
        return g * total.div(2 * ctx.eps), None, None
