# expected: output-kept-on-ctx
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.pullback = lambda g: g * y
        return y

    @staticmethod
    def backward(ctx, g):
        return ctx.pullback(g)
