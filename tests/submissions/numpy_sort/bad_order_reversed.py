# expected: wrong
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        a = x.detach().numpy()
        ctx.save_for_backward(torch.from_numpy(np.argsort(np.argsort(-a))))
        return torch.from_numpy(np.sort(a))

    @staticmethod
    def backward(ctx, g):
        (ranks,) = ctx.saved_tensors
        return torch.gather(g, -1, ranks)
