# expected: not-reproducible
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        ctx.p, ctx.generator = p, generator
        mask = torch.rand(x.shape, generator=generator) >= p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        mask = torch.rand(g.shape, generator=ctx.generator) >= ctx.p
        return g * mask / (1 - ctx.p), None, None
