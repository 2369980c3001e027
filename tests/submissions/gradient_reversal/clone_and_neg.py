# expected: right
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.k = strength
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return g.neg().mul(ctx.k), None
