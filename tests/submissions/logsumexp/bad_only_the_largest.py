# expected: wrong
import torch


class Logsumexp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        largest = x.amax(dim, keepdim=True)
        y = largest + (x - largest).exp().sum(dim, keepdim=True).log()
        ctx.save_for_backward(x)
        ctx.dim = dim
        return y.squeeze(dim)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        hot = (x == x.amax(ctx.dim, keepdim=True)).to(x.dtype)
        return g.unsqueeze(ctx.dim) * hot, None
