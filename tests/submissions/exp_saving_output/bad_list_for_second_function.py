# expected: tensors-in-a-list
import torch


class Back(torch.autograd.Function):
    @staticmethod
    def forward(ctx, tensors):
        g, y = tensors
        ctx.save_for_backward(g, y)
        return g * y

    @staticmethod
    def backward(ctx, h):
        g, y = ctx.saved_tensors
        return h * y, h * g


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return Back.apply((g, y))
