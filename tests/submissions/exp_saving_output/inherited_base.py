# expected: right
import torch


class _Saving(torch.autograd.Function):
    @classmethod
    def forward(cls, ctx, x):
        y = cls.value(x)
        ctx.save_for_backward(y)
        return y

    @classmethod
    def backward(cls, ctx, g):
        return cls.slope(*ctx.saved_tensors) * g


class ExpSavingOutput(_Saving):
    value = staticmethod(torch.exp)

    @staticmethod
    def slope(y):
        return y
