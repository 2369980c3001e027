# expected: right
import torch
from torch.autograd.function import once_differentiable


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        return x + 0

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        c = g.clone()
        c[c > ctx.limit] = ctx.limit
        c[c < -ctx.limit] = -ctx.limit
        return c, None
