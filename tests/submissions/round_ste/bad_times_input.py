# expected: wrong
import torch


class RoundSte(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.round()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x
