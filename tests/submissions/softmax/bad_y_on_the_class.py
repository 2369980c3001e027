# expected: state-on-class
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        Softmax.y = torch.softmax(x, dim)
        ctx.dim = dim
        return Softmax.y.clone()

    @staticmethod
    def backward(ctx, g):
        y = Softmax.y
        return y * (g - (g * y).sum(ctx.dim, keepdim=True)), None
