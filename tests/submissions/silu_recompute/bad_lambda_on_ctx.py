# expected: input-kept-on-ctx
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        def slope():
            s = x.sigmoid()
            return s * (1 + x * (1 - s))

        ctx.slope = slope
        return x * x.sigmoid()

    @staticmethod
    def backward(ctx, g):
        return g * ctx.slope()
