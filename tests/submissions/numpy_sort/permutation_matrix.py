# expected: right
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        order = np.argsort(a)
        matrix = np.eye(a.shape[-1], dtype=a.dtype)[order]
        ctx.matrix = torch.from_numpy(matrix)
        return torch.from_numpy(np.einsum("...ij,...j->...i", matrix, a))

    @staticmethod
    def vjp(ctx, g):
        return torch.einsum("...ij,...i->...j", ctx.matrix, g)
