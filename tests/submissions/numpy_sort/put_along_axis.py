# expected: right
import numpy as np
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class NumpySort(Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.order = np.argsort(a, axis=-1)
        return torch.from_numpy(np.take_along_axis(a, ctx.order, axis=-1))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        out = np.zeros(g.shape, dtype=g.numpy().dtype)
        np.put_along_axis(out, ctx.order, g.numpy(), axis=-1)
        return torch.from_numpy(out)
