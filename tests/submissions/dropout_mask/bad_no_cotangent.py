# expected: missing-grad-output
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        mask = torch.rand(x.shape, generator=generator) >= p
        ctx.mask, ctx.p = mask, p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        return ctx.mask / (1 - ctx.p), None, None
