# expected: input-kept-on-ctx
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        ctx.x, ctx.p = x, p
        ctx.mask = torch.rand(x.shape, generator=generator) >= p
        return x * ctx.mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        return (g * ctx.mask / (1 - ctx.p)).view_as(ctx.x), None, None
