# expected: right
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        u = torch.randint(2**24, x.shape, generator=generator)
        mask = u >= int(p * 2**24)
        ctx.factor = mask.to(x.dtype).div(1 - p)
        return x * ctx.factor

    @staticmethod
    def backward(ctx, g):
        return g * ctx.factor, None, None
