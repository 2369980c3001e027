# expected: right
import torch


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = float(limit)
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        bound = torch.full_like(g, ctx.limit)
        return torch.minimum(torch.maximum(g, -bound), bound), None
