# expected: state-on-class
import torch


import weakref


saved = weakref.WeakValueDictionary()


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        saved["x"] = ctx
        ctx.save_for_backward(x)
        return x * x.sigmoid()

    @staticmethod
    def backward(ctx, g):
        (x,) = saved["x"].saved_tensors
        s = x.sigmoid()
        return g * s * (1 + x * (1 - s))
