# expected: not-reproducible
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        ctx.p, ctx.generator = p, generator
        mask = torch.empty_like(x).bernoulli_(1 - p, generator=generator)
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        mask = torch.empty_like(g).bernoulli_(1 - ctx.p, generator=ctx.generator)
        return g * mask / (1 - ctx.p), None, None
