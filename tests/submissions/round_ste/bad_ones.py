# expected: missing-grad-output
import torch


class RoundSte(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return torch.ones_like(g)
