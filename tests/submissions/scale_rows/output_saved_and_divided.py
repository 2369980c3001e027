# expected: right
import torch


class ScaleRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        y = x * w[:, None]
        ctx.save_for_backward(y, w)
        return y

    @staticmethod
    def backward(ctx, g):
        y, w = ctx.saved_tensors
        return g * w[:, None], (g * y).sum(1) / w
