# expected: right
import sys
import warnings
from dataclasses import dataclass

import torch

print("loading my solution")


@dataclass(frozen=True)
class Shape:
    rows: int
    columns: int
    killed: int


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        print("forward", x.shape)
        warnings.warn("is n really an int?")
        ctx.shape = Shape(*x.shape, n)
        y = torch.zeros_like(x)
        y[:, n:] = x[:, n:]
        return y

    @staticmethod
    def backward(ctx, g):
        print("backward", g.shape, file=sys.stderr)
        warnings.warn("almost there", RuntimeWarning)
        assert g.shape == (ctx.shape.rows, ctx.shape.columns)
        dx = torch.zeros_like(g)
        dx[:, ctx.shape.killed :] = g[:, ctx.shape.killed :]
        return dx, None
