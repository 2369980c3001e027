# expected: wrong
import torch


class Mine(BaseException):
    def __str__(self):
        raise ValueError("no text")


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        raise Mine
        dx = g.clone()
        dx[:, : ctx.n] = 0
        return dx, None
