# expected: right
import torch
from torch.autograd.function import once_differentiable


class FiniteDifference(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        at = x.detach()
        ctx.slope = (fn(at + eps) - fn(at - eps)) / (2 * eps)
        return fn(at)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        return ctx.slope * g, None, None
