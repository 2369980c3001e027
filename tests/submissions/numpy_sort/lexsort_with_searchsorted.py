# expected: right
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = np.asarray(x.detach())
        y = np.partition(a, range(a.shape[-1]), axis=-1)
        ctx.save_for_backward(x)
        return torch.tensor(y)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        ordered = x.sort(-1).values
        return g.take_along_dim(torch.searchsorted(ordered.contiguous(), x.contiguous()), -1)
