# expected: right
import torch


class ExpSavingOutput(torch.autograd.Function):
    calls = 0

    @staticmethod
    def forward(ctx, x):
        ExpSavingOutput.calls += 1
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * g
