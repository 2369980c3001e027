# expected: gradient-not-a-tensor
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        a = g.numpy().copy()
        a[:, : ctx.n] = 0
        return a, None
