# expected: wrong-factor
import torch


class Logsumexp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        ctx.save_for_backward(x)
        ctx.dim = dim
        return torch.logsumexp(x, dim)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        e = (x - x.amax(ctx.dim, True)).exp()
        return g.unsqueeze(ctx.dim) * e / e.mean(ctx.dim, True), None
