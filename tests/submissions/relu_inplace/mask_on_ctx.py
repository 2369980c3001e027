# expected: right
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.mask = x > 0
        x.mul_(ctx.mask)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * ctx.mask
