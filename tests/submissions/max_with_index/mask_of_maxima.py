# expected: right
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, index = x.max(dim=1)
        ctx.mark_non_differentiable(index)
        ctx.mask = x == values[:, None]
        return values, index

    @staticmethod
    def vjp(ctx, g, _):
        return g.unsqueeze(1) * ctx.mask
