# expected: gradient-nonlinear
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.from_numpy(np.sort(x.detach().numpy()))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        return torch.from_numpy(np.sort(g.numpy()))
