# expected: wrong
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.order = np.argsort(a, axis=None)
        return torch.from_numpy(np.sort(a, axis=-1))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        out = np.zeros(g.numel(), dtype=g.numpy().dtype)
        out[ctx.order] = g.numpy().ravel()
        return torch.from_numpy(out.reshape(g.shape))
