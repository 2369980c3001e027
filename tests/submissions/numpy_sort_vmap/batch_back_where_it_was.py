# expected: right
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySortVmap(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.from_numpy(np.sort(x.detach().numpy()))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        ranks = x.detach().numpy().argsort(-1).argsort(-1)
        return torch.from_numpy(np.take_along_axis(g.numpy(), ranks, -1))

    @staticmethod
    def vmap(info, in_dims, x):
        (bdim,) = in_dims
        if bdim == x.dim() - 1:
            return NumpySortVmap.apply(x.movedim(bdim, 0)), 0
        return NumpySortVmap.apply(x), bdim
