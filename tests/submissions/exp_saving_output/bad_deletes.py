# expected: deletes-context-state
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.copy = y.clone()
        return y

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        y = ctx.copy
        del ctx.copy
        return g * y
