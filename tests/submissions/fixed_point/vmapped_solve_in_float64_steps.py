# expected: right
import torch
from torch.autograd.function import once_differentiable


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, b, x):
        drive = b + x
        z, steps = torch.tanh(drive), 0
        while steps < 200:
            z, before, steps = torch.tanh(z @ w.T + drive), z, steps + 1
            if torch.equal(z, before):
                break
        ctx.save_for_backward(w, z)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        w, z = ctx.saved_tensors
        n = len(w)
        rows = []
        for zi, gi in zip(z.view(-1, n), g.reshape(-1, n)):
            d = torch.diag(1 - zi**2)
            rows.append(d @ torch.linalg.solve(torch.eye(n, dtype=w.dtype) - w.T @ d, gi))
        v = torch.stack(rows)
        return torch.einsum("bi,bj->ij", v, z.view(-1, n)), v.sum(dim=0), v.view(x_shape := z.shape)
