# expected: saves-too-much
import torch
from torch.autograd.function import once_differentiable


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        zs = [torch.zeros_like(x)]
        for _ in range(60):
            zs.append(torch.tanh(zs[-1] @ w.T + b + x))
        ctx.save_for_backward(w, *zs)
        return zs[-1]

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        w, *zs = ctx.saved_tensors
        n = len(w)
        gw, gx = torch.zeros_like(w), torch.zeros_like(g)
        for before, after in zip(zs[-2::-1], zs[:0:-1]):
            v = g * (1 - after**2)
            gw = gw + v.reshape(-1, n).T @ before.reshape(-1, n)
            gx = gx + v
            g = v @ w
        return gw, gx.reshape(-1, n).sum(0), gx
