# expected: wrong
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
        return torch.softmax(x, -1) * g.unsqueeze(ctx.dim), None
