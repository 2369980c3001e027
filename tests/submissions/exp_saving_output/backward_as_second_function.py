# expected: right
import torch


class _Backward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, y):
        ctx.save_for_backward(g, y)
        return g * y

    @staticmethod
    def backward(ctx, h):
        g, y = ctx.saved_tensors
        return h * y, h * g


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        return _Backward.apply(g, *ctx.saved_tensors)
