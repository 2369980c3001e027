# expected: dirty-not-returned
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.keep = x > 0
        x.mul_(ctx.keep)
        return x * 1

    @staticmethod
    def backward(ctx, g):
        return g * ctx.keep
