# expected: mutates-saved-tensor
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        x.fill_(ctx.scale)
        return g * x, None, None
