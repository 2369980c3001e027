# expected: wrong
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.ranks = torch.from_numpy(a.argsort(-1).argsort(-1)).reshape(-1, a.shape[-1])[0]
        return torch.from_numpy(np.sort(a, axis=-1))

    @staticmethod
    def backward(ctx, g):
        return g[..., ctx.ranks]
