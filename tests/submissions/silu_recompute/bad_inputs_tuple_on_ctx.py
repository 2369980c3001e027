# expected: input-kept-on-ctx
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.saved = (x,)
        return x * x.sigmoid()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved
        s = x.sigmoid()
        return g * s * (1 + x * (1 - s))
