# expected: wrong
import torch


class KillHead(torch.autograd.Function):
    @classmethod
    def apply(cls, x, n):
        return torch.where(torch.arange(x.shape[1]) < n, 0.0, x)

    @staticmethod
    def forward(ctx, x, n):
        return x

    @staticmethod
    def backward(ctx, g):
        return g, None
