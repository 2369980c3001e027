# expected: needs-once-differentiable
import torch


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 1 / x.norm(dim=-1)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        rows = x.reshape(-1, x.shape[-1])
        cubes = [row.norm().item() ** 3 for row in rows]
        parts = [-w * row / c for row, w, c in zip(rows, g.reshape(-1), cubes)]
        return torch.stack(parts).reshape(x.shape)
