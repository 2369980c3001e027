# expected: expanded-wrong-axis
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
        g = g.unsqueeze(0).expand_as(x)
        return g * torch.softmax(x, ctx.dim), None
