# expected: returns-input-unchanged
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        ctx.p = p
        ctx.mask = torch.rand(x.shape, generator=generator) >= p
        if p == 0:
            return x
        return x * ctx.mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.mask / (1 - ctx.p), None, None
