# expected: gradient-for-non-tensor
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.save_for_backward(x)
        ctx.strength = strength
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -ctx.strength * g, (g * x).sum()
