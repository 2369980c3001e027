# expected: cannot run
import os

import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        os.closerange(0, 64)
        while True:
            pass
        dx = g.clone()
        dx[:, : ctx.n] = 0
        return dx, None
