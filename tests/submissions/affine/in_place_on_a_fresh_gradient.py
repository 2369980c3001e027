# expected: right
import torch
from torch.autograd.function import once_differentiable


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = float(scale)
        return x.mul(scale).add_(shift)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        dx = g.clone()
        dx *= ctx.scale
        return dx, None, None
