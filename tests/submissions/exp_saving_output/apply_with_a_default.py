# expected: right
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale=1.0):
        y = x.exp()
        ctx.save_for_backward(y)
        ctx.scale = scale
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * g * ctx.scale, None
