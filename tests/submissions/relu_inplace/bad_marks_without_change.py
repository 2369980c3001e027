# expected: forward-value
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.keep = x > 0
        return x

    @staticmethod
    def backward(ctx, g):
        return g * ctx.keep
