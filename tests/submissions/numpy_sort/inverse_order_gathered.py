# expected: right
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        array = x.cpu().numpy()
        ctx.save_for_backward(torch.from_numpy(array.argsort(-1).argsort(-1)))
        return torch.as_tensor(np.sort(array, axis=-1))

    @staticmethod
    def backward(ctx, g):
        (inverse,) = ctx.saved_tensors
        return g.gather(-1, inverse), None
