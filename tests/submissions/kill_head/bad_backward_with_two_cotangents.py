# expected: one-grad-output-per-output
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g, n):
        g = g.clone()
        g[:, :n] = 0
        return g, None
