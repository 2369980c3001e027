# expected: missing-mask
import atexit
import os

import torch

atexit.register(os._exit, 0)


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        return g, None
