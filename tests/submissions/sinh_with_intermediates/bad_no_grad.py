# expected: detached-in-backward
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x.exp() - (-x).exp()) / 2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        with torch.no_grad():
            cosh = (x.exp() + (-x).exp()) / 2
        return g * cosh
