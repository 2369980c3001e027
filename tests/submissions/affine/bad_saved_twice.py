# expected: saved-twice
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.save_for_backward(torch.tensor(scale))
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        x, scale = ctx.saved_tensors
        return g * scale, None, None
