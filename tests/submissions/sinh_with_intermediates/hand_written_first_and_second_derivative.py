# expected: right
import torch


class Cosh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up = x.exp()
        ctx.save_for_backward(up)
        ctx.mark_non_differentiable()
        return (up + 1 / up) / 2, up

    @staticmethod
    def backward(ctx, g, g_up):
        (up,) = ctx.saved_tensors
        return g * (up - 1 / up) / 2 + g_up * up


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        up = x.exp()
        return (up - up**-1) / 2

    @staticmethod
    def backward(ctx, g):
        return g * Cosh.apply(ctx.saved_tensors[0])[0]
