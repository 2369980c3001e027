# expected: wrong
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        return x * scale + shift

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.scale, _ = inputs

    @staticmethod
    def backward(ctx, g):
        return g * ctx.scale, None, None
