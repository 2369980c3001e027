# expected: state-on-class
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        DropoutMask.mask = torch.rand(x.shape, generator=generator) >= p
        ctx.p = p
        return x * DropoutMask.mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        return g * DropoutMask.mask / (1 - ctx.p), None, None
