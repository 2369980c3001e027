# expected: differentiates-one-step
import torch
from torch.autograd.function import once_differentiable


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.zeros_like(x)
        for _ in range(100):
            z = torch.tanh(z @ w.T + b + x)
        ctx.save_for_backward(z)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        flat = (g * (1 - z**2)).reshape(-1, z.shape[-1])
        return flat.T @ z.reshape(flat.shape), flat.sum(0), flat.reshape(z.shape)
