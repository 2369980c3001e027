# expected: right
import torch


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return torch.abs(u * v)

    @staticmethod
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        return AbsProductBackward.apply(g, u, v)


class AbsProductBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, u, v):
        s = torch.sign(u) * torch.sign(v)
        ctx.save_for_backward(g, u, v, s)
        return g * s * v, g * s * u

    @staticmethod
    def backward(ctx, a, b):
        g, u, v, s = ctx.saved_tensors
        return s * (a * v + b * u), s * b * g, s * a * g
