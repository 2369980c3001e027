# expected: right
import torch
from torch.autograd.function import once_differentiable


class RoundSte(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x + (x.round() - x)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        return g.view_as(g)
