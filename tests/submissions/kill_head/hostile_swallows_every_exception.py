# expected: missing-mask
import sys

import torch

sys.excepthook = sys.unraisablehook = lambda *_: None
sys.settrace(None)
sys.setrecursionlimit(10_000)


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
