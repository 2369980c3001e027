# expected: wrong
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.from_numpy(np.sort(x.detach().numpy()))

    @staticmethod
    def backward(ctx, g):
        return g.clone()
