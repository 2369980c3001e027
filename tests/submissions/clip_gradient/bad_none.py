# expected: missing-gradient
import torch


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return None, None
