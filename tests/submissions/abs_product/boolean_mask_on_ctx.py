# expected: right
import torch


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        product = u * v
        ctx.negative = product < 0
        ctx.save_for_backward(u, v)
        product[ctx.negative] *= -1
        return product

    @staticmethod
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        g = torch.where(ctx.negative, -g, g)
        return g * v, g * u
