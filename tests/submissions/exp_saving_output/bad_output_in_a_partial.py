# expected: output-kept-on-ctx
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        from functools import partial

        y = x.exp()
        ctx.pullback = partial(torch.mul, y)
        return y

    @staticmethod
    def backward(ctx, g):
        return ctx.pullback(g)
