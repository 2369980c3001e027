# expected: forward-value
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mask = x > 0
        ctx.mark_dirty(x)
        return x.abs_()

    @staticmethod
    def backward(ctx, g):
        return g * ctx.mask
