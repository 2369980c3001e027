# expected: not-reproducible
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        ctx.p = p
        mask = torch.rand(x.shape, generator=generator) >= p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        mask = torch.rand(g.shape) >= ctx.p
        return g * mask / (1 - ctx.p), None, None
