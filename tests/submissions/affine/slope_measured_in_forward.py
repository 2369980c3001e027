# expected: right
import torch


class Affine(torch.autograd.Function):
    """A number on ctx that is worked out from the other two arguments."""

    @staticmethod
    def line(t, scale, shift):
        return scale * t + shift

    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.slope = Affine.line(1, scale, shift) - Affine.line(0, scale, shift)
        return Affine.line(x, scale, shift)

    @staticmethod
    def backward(ctx, g):
        return torch.einsum("...,->...", g, torch.tensor(ctx.slope, dtype=g.dtype)), None, None
