# expected: right
import torch


class GradientReversal(torch.autograd.Function):
    @classmethod
    def forward(cls, ctx, x, strength=1.0):
        ctx.scale = 0 - strength
        return torch.empty_like(x).copy_(x)

    @classmethod
    def backward(cls, ctx, *g):
        return (g[0] * ctx.scale, *[None] * (len(ctx.needs_input_grad) - 1))
