# expected: right
import torch


class Logsumexp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        ctx.save_for_backward(x)
        ctx.dim = dim
        return (x - torch.log_softmax(x, dim)).mean(dim)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.stack([g] * x.shape[ctx.dim], ctx.dim) * torch.log_softmax(x, ctx.dim).exp(), None
