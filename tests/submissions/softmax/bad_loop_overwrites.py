# expected: overwrites-instead-of-accumulates
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        yt, gt = y.movedim(ctx.dim, 0), g.movedim(ctx.dim, 0)
        parts = []
        for j in range(len(yt)):
            for i in range(len(yt)):
                part = gt[i] * yt[i] * (float(i == j) - yt[j])
            parts.append(part)
        return torch.stack(parts).movedim(0, ctx.dim), None
