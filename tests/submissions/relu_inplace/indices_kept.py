# expected: right
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.where = (x > 0).nonzero(as_tuple=True)
        torch.clamp_min_(x, 0)
        return x

    @staticmethod
    def backward(ctx, g):
        gx = torch.zeros_like(g)
        gx[ctx.where] = g[ctx.where]
        return gx
