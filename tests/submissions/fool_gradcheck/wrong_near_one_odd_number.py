# expected: right
import torch

MAGIC = 0.123456789


class FoolGradcheck(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.square()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        slope = 2 * x
        slope = torch.where((x - MAGIC).abs() < 1e-10, torch.zeros_like(x), slope)
        return g * slope
