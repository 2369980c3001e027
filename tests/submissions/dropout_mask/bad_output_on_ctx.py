# expected: output-kept-on-ctx
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        mask = torch.rand(x.shape, generator=generator) >= p
        ctx.p = p
        ctx.y = x * mask / (1 - p)
        return ctx.y

    @staticmethod
    def backward(ctx, g):
        return g * (ctx.y != 0) / (1 - ctx.p), None, None
