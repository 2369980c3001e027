# expected: state-on-class
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        GradientReversal.strength = strength
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return -GradientReversal.strength * g, None
