# expected: right
import numpy as np
import torch
from torch.autograd import Function


def to_numpy(tensor):
    return tensor.detach().cpu().numpy()


class Take(Function):
    @staticmethod
    def forward(x, index, inverse):
        return torch.tensor(np.take_along_axis(to_numpy(x), to_numpy(index), -1))

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, index, inverse = inputs
        ctx.save_for_backward(index, inverse)

    @staticmethod
    def backward(ctx, g):
        index, inverse = ctx.saved_tensors
        return Take.apply(g, inverse, index), None, None

    @staticmethod
    def vmap(info, in_dims, *tensors):
        front = [
            t.expand(info.batch_size, *t.shape) if axis is None else t.movedim(axis, 0)
            for t, axis in zip(tensors, in_dims)
        ]
        return Take.apply(*front), 0


class NumpySortVmap(Function):
    @staticmethod
    def forward(x):
        index = np.argsort(to_numpy(x), axis=-1)
        inverse = np.argsort(index, axis=-1)
        values = np.take_along_axis(to_numpy(x), index, -1)
        return torch.tensor(values), torch.tensor(index), torch.tensor(inverse)

    @staticmethod
    def setup_context(ctx, inputs, outputs):
        _, index, inverse = outputs
        ctx.mark_non_differentiable(index, inverse)
        ctx.save_for_backward(index, inverse)

    @staticmethod
    def backward(ctx, g, *_):
        index, inverse = ctx.saved_tensors
        return Take.apply(g, inverse, index)

    @staticmethod
    def vmap(info, in_dims, x):
        return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), (0, 0, 0)
