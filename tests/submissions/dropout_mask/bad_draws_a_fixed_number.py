# expected: forward-value
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        count = round(p * x.numel())
        drop = torch.arange(x.numel())[:count]
        y = x.flatten().clone()
        y[drop] = 0
        ctx.drop, ctx.p = drop, p
        torch.rand(1, generator=generator)
        return y.view(x.shape) / (1 - p)

    @staticmethod
    def backward(ctx, g):
        g = g.flatten().clone()
        shape = ctx.needs_input_grad
        g[ctx.drop] = 0
        return g / (1 - ctx.p), None, None
