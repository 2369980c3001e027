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
        keep = torch.zeros_like(g)
        keep[:, ctx.n :] = float("inf")
        return torch.where(keep > 0, g * keep, 0.0), None
