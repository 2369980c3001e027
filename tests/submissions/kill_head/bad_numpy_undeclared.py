# expected: numpy-in-backward
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        a = x.numpy(force=True).copy()
        a[:, :n] = 0
        return torch.as_tensor(a)

    @staticmethod
    def backward(ctx, g):
        a = g.numpy().copy()
        a[:, : ctx.n] = 0
        return torch.as_tensor(a), None
