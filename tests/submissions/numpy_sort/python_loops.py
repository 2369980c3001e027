# expected: right
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = np.array(x.detach())
        rows = a.reshape(-1, a.shape[-1])
        ctx.orders = [np.argsort(row) for row in rows]
        return torch.from_numpy(np.stack([np.sort(row) for row in rows]).reshape(a.shape))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        gradient = torch.zeros_like(g)
        cot = g.reshape(-1, g.shape[-1])
        rows = gradient.view(-1, g.shape[-1])
        for r, order in enumerate(ctx.orders):
            for rank, place in enumerate(order):
                rows[r, place] = cot[r, rank]
        return gradient
