# expected: state-on-class
import numpy as np
import torch

memory = {}


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        memory["ranks"] = a.argsort(-1).argsort(-1)
        return torch.from_numpy(np.sort(a, axis=-1))

    @staticmethod
    def backward(ctx, g):
        return g.gather(-1, torch.from_numpy(memory["ranks"]))
