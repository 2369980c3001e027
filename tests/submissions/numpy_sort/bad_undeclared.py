# expected: needs-once-differentiable
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.order = np.argsort(a, axis=-1)
        return torch.from_numpy(np.sort(a, axis=-1))

    @staticmethod
    def backward(ctx, g):
        out = np.zeros(g.shape, dtype=g.detach().numpy().dtype)
        np.put_along_axis(out, ctx.order, g.detach().numpy(), axis=-1)
        return torch.from_numpy(out)
