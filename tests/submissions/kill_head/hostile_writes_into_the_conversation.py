# expected: cannot run
import os

import torch

for descriptor in range(3, 32):
    try:
        os.write(descriptor, b"\0" * 15 + b"\2[]" * 20)
    except OSError:
        pass


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        dx = g.clone()
        dx[:, : ctx.n] = 0
        return dx, None
