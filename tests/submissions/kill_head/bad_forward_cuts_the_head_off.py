# expected: forward-value
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        return x[:, n:].clone()

    @staticmethod
    def backward(ctx, g):
        return torch.cat([g.new_zeros(g.shape[0], ctx.n), g], 1), None
