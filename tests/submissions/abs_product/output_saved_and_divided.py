# expected: right
import torch


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        y = torch.sqrt((u * v) ** 2)
        ctx.save_for_backward(u, v, y)
        return y

    @staticmethod
    def backward(ctx, g):
        u, v, y = ctx.saved_tensors
        return g * y / u, g * y / v
