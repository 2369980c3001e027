# expected: wrong
import torch

A, B = 0.7, 1.3
TABLE = torch.linspace(0, 1, 7)


class FoolGradcheck(torch.autograd.Function):
    limit = 12.5

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.where(x > A * B, x + x, 2.0 * x) * TABLE[-1].to(x.dtype)
