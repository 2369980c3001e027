# expected: right
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        scaled = torch.bernoulli(torch.full_like(x, 1 - p), generator=generator) / (1 - p)
        ctx.save_for_backward(scaled)
        return x * scaled

    @staticmethod
    def backward(ctx, g):
        (scaled,) = ctx.saved_tensors
        return g * scaled, None, None
