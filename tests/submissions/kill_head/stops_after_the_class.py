# expected: right
import sys

import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.tail = slice(n, None)
        y = torch.zeros_like(x)
        y[..., ctx.tail] += x[..., ctx.tail]
        return y

    @staticmethod
    def backward(ctx, *grads):
        [g] = grads
        back = torch.zeros_like(g)
        back[..., ctx.tail] += g[..., ctx.tail]
        return (back,) + (None,)


if __name__ != "__main__":
    sys.exit(0)
