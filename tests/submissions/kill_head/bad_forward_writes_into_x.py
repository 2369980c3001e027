# expected: mutates-input
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        x[:, :n] = 0
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        g = g.clone()
        g[:, : ctx.n] = 0
        return g, None
