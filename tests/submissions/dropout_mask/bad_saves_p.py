# expected: saved-a-non-tensor
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        mask = torch.rand(x.shape, generator=generator) >= p
        ctx.save_for_backward(mask, p)
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        mask, p = ctx.saved_tensors
        return g * mask / (1 - p), None, None
