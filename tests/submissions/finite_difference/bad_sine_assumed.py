# expected: wrong
import torch


class FiniteDifference(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        ctx.save_for_backward(x)
        ctx.fn, ctx.eps = fn, eps
        return fn(x.detach())

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.cos(), None, None
