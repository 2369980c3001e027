# expected: right
import torch


class ColumnMask(torch.autograd.Function):
    """x times a mask of 0 and 1; what the mask is, a subclass says."""

    @staticmethod
    def forward(ctx, x, n):
        mask = torch.zeros(x.shape[1], dtype=torch.bool)
        mask[n:] = True
        ctx.mask = mask
        return x.masked_fill(~mask, 0)

    @staticmethod
    def backward(ctx, g):
        return g.masked_fill(~ctx.mask, 0), None


class KillHead(ColumnMask):
    pass
