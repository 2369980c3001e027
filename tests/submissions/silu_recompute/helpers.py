# expected: right
import torch


def _slope(x):
    s = torch.sigmoid(x)
    return s + x * s * (1 - s)


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, g):
        return tuple(g * _slope(x) for x in ctx.saved_tensors)
