# expected: no-setup-context
import torch


class ScaleByNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x.norm()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        n = x.norm()
        return n * g + x * (x @ g) / n
