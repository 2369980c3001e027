# expected: inverse-permutation
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
        return torch.from_numpy(np.take_along_axis(g.numpy(), ctx.order, axis=-1))
