# expected: saved-twice
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(torch.full_like(x, scale))
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (slope,) = ctx.saved_tensors
        return g * slope, None, None
