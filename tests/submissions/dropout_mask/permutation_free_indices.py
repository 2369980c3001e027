# expected: right
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        drop = torch.rand(x.shape, generator=generator) < p
        ctx.dropped = drop.nonzero()
        ctx.keep = 1 - p
        y = x / ctx.keep
        y[drop] = 0
        return y

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        gx = g / ctx.keep
        gx[ctx.dropped.unbind(1)] = 0
        return gx, None, None
