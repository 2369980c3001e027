# expected: right
import torch


class Times(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return Times.apply(g, b), Times.apply(g, a)


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return Times.apply(u, v).abs_()

    @staticmethod
    def backward(ctx, g):
        (u, v), sign = ctx.saved_tensors, None
        sign = (u.detach() * v.detach()).sgn()
        signed = Times.apply(g, sign)
        return Times.apply(signed, v), Times.apply(signed, u)
