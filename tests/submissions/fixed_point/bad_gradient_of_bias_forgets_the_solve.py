# expected: wrong
import torch
from torch.autograd.function import once_differentiable


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.zeros_like(x)
        for _ in range(80):
            z = torch.tanh(z @ w.T + b + x)
        ctx.save_for_backward(w, z)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        w, z = ctx.saved_tensors
        n = len(w)
        d = 1 - z * z
        u = g
        for _ in range(3):
            u = g + (d * u) @ w
        v = (d * u).view(-1, n)
        return v.T @ z.view(-1, n), v.sum(0), v.view(z.shape)
