# expected: not-reproducible
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
        dx = g * torch.rand_like(g)
        dx[:, : ctx.n] = 0
        return dx, None
