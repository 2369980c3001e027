# expected: right
import torch


class StraightThrough(torch.autograd.Function):
    @staticmethod
    def vjp(ctx, *cotangents):
        (g,) = cotangents
        return (1.0 * g,)


class RoundSte(StraightThrough):
    @staticmethod
    def forward(ctx, x):
        return torch.trunc(x + 0.5 * torch.sign(x))
