# expected: missing-grad-output
import torch


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        ctx.shape = x.shape
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return torch.full(ctx.shape, ctx.limit, dtype=g.dtype), None
