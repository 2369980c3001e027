# expected: right
import torch
from torch.autograd.function import once_differentiable


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.zeros_like(x)
        while True:
            ahead = torch.tanh(z @ w.T + b + x)
            if torch.allclose(ahead, z, rtol=1e-12 if x.dtype == torch.float64 else 1e-6, atol=0):
                break
            z = ahead
        slope = 1 - ahead**2
        inverse = torch.linalg.inv(torch.eye(len(w), dtype=w.dtype) - slope[..., None] * w)
        ctx.save_for_backward(ahead, inverse * slope[..., None, :])
        return ahead

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        z, matrix = ctx.saved_tensors
        v = (g[..., None, :] @ matrix)[..., 0, :]
        flat = v.reshape(-1, v.shape[-1])
        return flat.T @ z.reshape(flat.shape), flat.sum(0), v
