# expected: right
import torch


def unbroadcast(gradient, shape):
    while gradient.dim() > len(shape):
        gradient = gradient.sum(0)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis, keepdim=True)
    return gradient


class ScaleRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x.mul(w.reshape(-1, 1).expand_as(x))

    @staticmethod
    def vjp(ctx, g):
        x, w = ctx.saved_tensors
        column = w[:, None]
        return g * column, unbroadcast(g * x, column.shape).reshape(w.shape)
