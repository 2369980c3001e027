# expected: mutates-input
import torch


class RoundSte(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round_()

    @staticmethod
    def backward(ctx, g):
        return g
