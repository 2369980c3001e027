# expected: wrong-factor
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
        dx = torch.zeros_like(g)
        dx[:, ctx.n :] = g[:, ctx.n :]
        dx += dx
        return dx, None
