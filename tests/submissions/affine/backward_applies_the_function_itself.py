# expected: right
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = scale
        y = x.clone()
        y.mul_(scale).add_(shift)
        return y

    @staticmethod
    def backward(ctx, g):
        return Affine.apply(g, ctx.scale, 0), None, None, None
