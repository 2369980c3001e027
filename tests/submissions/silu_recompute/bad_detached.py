# expected: detached-in-backward
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors[0].detach()
        s = x.sigmoid()
        return g * s * (1 + x * (1 - s))
