# expected: numpy-in-backward
import torch


class RoundSte(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return torch.from_numpy(g.detach().numpy().copy())
