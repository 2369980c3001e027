# expected: detached-in-backward
import torch


class ScaleRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w[:, None]

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        gx, gw = g * w[:, None], (g * x).sum(1)
        return gx, (g * x.detach()).sum(1)
