# expected: right
import torch
from torch.autograd.function import once_differentiable


class FiniteDifference(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        ctx.save_for_backward(x)
        ctx.f = fn
        ctx.h = eps
        with torch.no_grad():
            return fn(x.detach().clone())

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x = ctx.saved_tensors[0].clone().detach()
        h = ctx.h
        d = (ctx.f(x + h) - ctx.f(x - h)) / h
        return g * d * 0.5, None, None
