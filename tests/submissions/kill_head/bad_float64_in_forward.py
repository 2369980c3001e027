# expected: wrong
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        keep = torch.ones(x.shape[1], dtype=torch.float64)
        keep[:n] = 0
        ctx.keep = torch.diag(keep)
        return x @ ctx.keep

    @staticmethod
    def backward(ctx, g):
        return g @ ctx.keep, None
