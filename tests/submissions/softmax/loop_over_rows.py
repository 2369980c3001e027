# expected: right
import torch
from torch.autograd.function import once_differentiable


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        moved = x.transpose(dim, -1)
        rows = moved.reshape(-1, moved.shape[-1])
        out = torch.empty_like(rows)
        for i, row in enumerate(rows):
            e = (row - row.max()).exp()
            out[i] = e / e.sum()
        y = out.reshape(moved.shape).transpose(dim, -1)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        dim = ctx.dim
        gradient = torch.zeros_like(y)
        yt, gt, out = y.transpose(dim, -1), g.transpose(dim, -1), gradient.transpose(dim, -1)
        n = yt.shape[-1]
        for i in range(n):
            for j in range(n):
                delta = 1.0 if i == j else 0.0
                out[..., i] += gt[..., j] * yt[..., j] * (delta - yt[..., i])
        return gradient, None, None
