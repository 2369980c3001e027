# expected: right
import torch
import torch.nn.functional as F


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.columns = n, x.size(1)
        return F.pad(x[:, n:], (n, 0))

    @staticmethod
    def backward(ctx, dy):
        n, m = ctx.columns
        return F.pad(dy[:, n:m], (n, 0)), None, None, None
