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
        keep = torch.ones(g.shape[1], dtype=torch.float64)
        keep[: ctx.n] = 0
        return g @ torch.diag(keep), None
