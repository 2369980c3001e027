# expected: right
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        y = x.clone()
        hits = torch.rand(x.shape, generator=generator, dtype=torch.float64).lt(p)
        y[hits] = 0.0
        y /= 1.0 - p
        ctx.hits, ctx.q = hits, 1.0 - p
        return y

    @staticmethod
    def backward(ctx, g):
        g = g.clone()
        g[ctx.hits] = 0.0
        return g.div(ctx.q), None, None
