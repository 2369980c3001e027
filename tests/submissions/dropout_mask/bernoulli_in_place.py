# expected: right
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        keep = torch.empty_like(x).bernoulli_(1 - p, generator=generator)
        ctx.save_for_backward(keep)
        ctx.scale = 1 / (1 - p)
        return x.mul(keep).mul_(ctx.scale)

    @staticmethod
    def backward(ctx, g):
        (keep,) = ctx.saved_tensors
        return g.mul(keep).mul(ctx.scale), None, None, None
