# expected: wrong-sign
import torch


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        z = torch.zeros_like(x)
        for _ in range(100):
            z = torch.tanh(z @ w.T + b + x)
        ctx.save_for_backward(w, z)
        return z

    @staticmethod
    def backward(ctx, g):
        w, z = ctx.saved_tensors
        d = 1 - z * z
        eye = torch.eye(w.shape[0], dtype=w.dtype)
        system = eye - w.T * d.unsqueeze(-2)
        u = torch.linalg.solve(system, g.unsqueeze(-1)).squeeze(-1)
        back = -d * u
        if z.dim() == 1:
            return torch.outer(back, z), back, back
        return back.T @ z, back.sum(0), back
