# expected: right
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Slope(Function):
    @staticmethod
    def forward(ctx, g, x, fn, eps):
        x = x.detach()
        ahead, here, behind = fn(x + eps), fn(x), fn(x - eps)
        slope = (ahead - behind) / (2 * eps)
        curvature = (ahead - 2 * here + behind) / eps**2
        ctx.save_for_backward(g, slope, curvature)
        return g * slope

    @staticmethod
    @once_differentiable
    def backward(ctx, a):
        g, slope, curvature = ctx.saved_tensors
        return a * slope, a * g * curvature, None, None


class FiniteDifference(Function):
    @staticmethod
    def forward(ctx, x, fn, eps):
        ctx.save_for_backward(x)
        ctx.args = fn, eps
        return fn(x.detach())

    @staticmethod
    def backward(ctx, g):
        return Slope.apply(g, ctx.saved_tensors[0], *ctx.args), None, None
