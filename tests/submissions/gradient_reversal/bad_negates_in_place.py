# expected: mutates-grad-output
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return g.neg_().mul_(ctx.strength), None
