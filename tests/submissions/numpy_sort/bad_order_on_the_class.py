# expected: state-on-class
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySort(torch.autograd.Function):
    order = None

    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        NumpySort.order = np.argsort(a, axis=-1)
        return torch.from_numpy(np.sort(a, axis=-1))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        out = np.zeros_like(g.numpy())
        np.put_along_axis(out, NumpySort.order, g.numpy(), axis=-1)
        return torch.from_numpy(out)
