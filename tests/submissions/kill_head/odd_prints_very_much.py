# expected: right
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        print("x" * 100_000)
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        [print(".") for _ in range(200)]
        dx = g.clone()
        dx[:, : ctx.n] = 0
        return dx, None
