# expected: gradient-not-a-tensor
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.order = np.argsort(a, axis=-1)
        return torch.from_numpy(np.sort(a, axis=-1))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        out = np.zeros_like(g.numpy())
        np.put_along_axis(out, ctx.order, g.numpy(), axis=-1)
        return out
