# expected: right
import numpy as np
import torch


class NumpySortVmap(torch.autograd.Function):
    @staticmethod
    def forward(x):
        a = x.detach().numpy()
        order = np.argsort(a, axis=-1)
        back = np.argsort(order, axis=-1)
        return torch.from_numpy(np.take_along_axis(a, order, -1)), torch.from_numpy(back)

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, back = output
        ctx.mark_non_differentiable(back)
        ctx.save_for_backward(back)

    @staticmethod
    def backward(ctx, g, _):
        (back,) = ctx.saved_tensors
        return g.gather(-1, back)

    @staticmethod
    def vmap(info, in_dims, x):
        (axis,) = in_dims
        return NumpySortVmap.apply(x.movedim(axis, 0)), (0, 0)
