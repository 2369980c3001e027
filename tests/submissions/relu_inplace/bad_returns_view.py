# expected: dirty-not-returned
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.mask = x > 0
        return x.relu_().view_as(x)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.mask
