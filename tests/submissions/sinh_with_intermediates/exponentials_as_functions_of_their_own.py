# expected: right
import torch
from torch.autograd import Function


class _Backward(Function):
    """g * (e^x + e^-x) / 2, with both exponentials handed over."""

    @staticmethod
    def forward(ctx, g, x, plus, minus):
        ctx.save_for_backward(g, plus, minus)
        return g * (plus + minus) / 2

    @staticmethod
    def backward(ctx, a):
        g, plus, minus = ctx.saved_tensors
        return a * (plus + minus) / 2, a * g * (plus - minus) / 2, None, None


class SinhWithIntermediates(Function):
    @staticmethod
    def forward(ctx, x):
        plus, minus = x.exp(), x.neg().exp()
        ctx.save_for_backward(x, plus, minus)
        return (plus - minus) / 2

    @staticmethod
    def backward(ctx, g):
        return _Backward.apply(g, *ctx.saved_tensors)
