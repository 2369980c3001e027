# expected: right
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(x, scale=1.0, shift=0.0):
        return torch.add(shift * torch.ones_like(x), x, alpha=scale)

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.scale, *_ = inputs

    @staticmethod
    def backward(ctx, g):
        return g.mul(ctx.scale), *[None] * 2

    @staticmethod
    def jvp(ctx, t, *_):
        return t * ctx.scale
