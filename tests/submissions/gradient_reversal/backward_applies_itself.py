# expected: right
import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, k):
        ctx.k = k
        return k * g

    @staticmethod
    def backward(ctx, h):
        return Scale.apply(h, ctx.k), None


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.k = -float(strength)
        return x.view(x.shape)

    @staticmethod
    def backward(ctx, g):
        return Scale.apply(g, ctx.k), None
