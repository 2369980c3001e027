# expected: wrong
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.save_for_backward(x)
        ctx.s = strength
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -ctx.s * g * x, None
