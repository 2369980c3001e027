# expected: tensors-in-a-list
import torch


class ExpSavingOutput(torch.autograd.Function):
    @classmethod
    def apply(cls, x):
        return super().apply([x])

    @staticmethod
    def forward(ctx, xs):
        y = xs[0].exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y
