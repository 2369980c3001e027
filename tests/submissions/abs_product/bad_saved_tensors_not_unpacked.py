# expected: saved-tensors-not-unpacked
import torch


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return (u * v).abs()

    @staticmethod
    def backward(ctx, g):
        saved = ctx.saved_tensors
        s = torch.sign(saved)
        return g * s, g * s
