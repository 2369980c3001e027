# expected: right
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.empty_like(x)
        torch.exp(x, out=y)
        ctx.save_for_backward(y)
        ctx.shape = tuple(x.shape)
        return y

    @staticmethod
    def backward(ctx, g):
        y = ctx.saved_tensors[0]
        assert y.shape == ctx.shape
        return (y * g).view(ctx.shape)
