# expected: right
import torch


class RoundSte(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x - (x - torch.round(x)).detach()

    @staticmethod
    def backward(ctx, g):
        return torch.einsum("...->...", g)
