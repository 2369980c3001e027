# expected: forward-value
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.order = np.argsort(a, axis=0)
        return torch.from_numpy(np.sort(a, axis=0))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        out = np.zeros_like(g.numpy())
        np.put_along_axis(out, ctx.order, g.numpy(), axis=0)
        return torch.from_numpy(out)
