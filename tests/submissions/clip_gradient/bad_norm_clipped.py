# expected: wrong
import torch
from torch.autograd.function import once_differentiable


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        return x.clone()

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        return g * min(1.0, ctx.limit / float(g.norm())), None
