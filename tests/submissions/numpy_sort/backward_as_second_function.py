# expected: right
import numpy as np
import torch
from torch.autograd import Function


class Unsort(Function):
    @staticmethod
    def forward(ctx, g, order):
        ctx.order = order
        out = np.empty_like(g.detach().numpy())
        np.put_along_axis(out, order, g.detach().numpy(), -1)
        return torch.from_numpy(out)

    @staticmethod
    def backward(ctx, h):
        return torch.take_along_dim(h, torch.from_numpy(ctx.order), -1), None


class NumpySort(Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.order = np.argsort(a, -1)
        return torch.from_numpy(np.sort(a, -1))

    @staticmethod
    def backward(ctx, g):
        return Unsort.apply(g, ctx.order)
