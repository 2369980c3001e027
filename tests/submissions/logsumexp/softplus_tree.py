# expected: right
import torch
from torch.autograd.function import once_differentiable


def pair(a, b):
    return torch.maximum(a, b) + torch.log1p(torch.exp(-(a - b).abs()))


class Logsumexp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        ctx.save_for_backward(x)
        ctx.dim = dim
        out = x.select(dim, 0).clone()
        for i in range(1, x.shape[dim]):
            out = pair(out, x.select(dim, i))
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        grad = torch.empty_like(x)
        lse = torch.logsumexp(x, ctx.dim)
        for i in range(x.shape[ctx.dim]):
            grad.select(ctx.dim, i).copy_(g * torch.exp(x.select(ctx.dim, i) - lse))
        return grad, None
