# expected: right
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        return torch.cat((x.new_zeros(x.shape[0], n), x[:, n:]), 1)

    @staticmethod
    def vjp(ctx, g):
        return torch.cat((g.new_zeros(g.shape[0], ctx.n), g[:, ctx.n :]), 1), None
