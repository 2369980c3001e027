# expected: right
import torch


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.linalg.vector_norm(x, dim=-1).pow(-1)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        rows, weights = x.reshape(-1, x.shape[-1]), g.reshape(-1)
        parts = [-w * row / (row @ row) ** 1.5 for row, w in zip(rows, weights)]
        return torch.stack(parts).reshape(x.shape)
