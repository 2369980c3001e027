# expected: right
import torch
from torch.autograd.function import once_differentiable


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        a = x.detach().cpu().numpy().copy()
        a[:, :n] = 0
        return torch.from_numpy(a)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        a = g.numpy().copy()
        a[:, : ctx.n] = 0
        return torch.from_numpy(a), None
