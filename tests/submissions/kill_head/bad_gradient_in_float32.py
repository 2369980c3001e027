# expected: wrong
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
        dx = torch.zeros(g.shape)
        dx[:, ctx.n :] = g[:, ctx.n :]
        return dx, None
