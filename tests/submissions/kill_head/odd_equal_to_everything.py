# expected: gradient-not-a-tensor
import torch


class Same:
    def __eq__(self, other):
        return True

    __hash__ = None


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        return Same(), None
