# expected: right
import torch


import numpy as np


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        array = x.detach().numpy()
        np.maximum(array, 0, out=array)
        ctx.mark_dirty(x)
        ctx.keep = torch.from_numpy(array > 0)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * ctx.keep, None
