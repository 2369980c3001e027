# expected: right
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySortVmap(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.tensor(np.sort(x.detach().cpu().numpy(), axis=-1))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        order = np.argsort(x.detach().numpy(), axis=-1)
        out = np.empty(x.shape, dtype=g.numpy().dtype)
        np.put_along_axis(out, order, g.numpy(), axis=-1)
        return torch.from_numpy(out)

    @staticmethod
    def vmap(info, in_dims, x):
        return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), 0
