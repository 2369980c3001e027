# expected: right
import torch


class LinearBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, x, weight):
        ctx.save_for_backward(g, x, weight)
        return g @ weight, g.T @ x

    @staticmethod
    def backward(ctx, a, b):
        g, x, weight = ctx.saved_tensors
        return a @ weight.T + x @ b.T, g @ b, g.T @ a


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        y = x @ weight.T
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx, gw = LinearBackward.apply(g, x, weight)
        wanted = list(ctx.needs_input_grad) + [False]
        return gx if wanted[0] else None, gw if wanted[1] else None, g.sum(0) if wanted[2] else None
