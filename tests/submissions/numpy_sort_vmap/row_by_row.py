# expected: right
import numpy as np
import torch


class NumpySortVmap(torch.autograd.Function):
    @staticmethod
    def forward(x):
        order = torch.from_numpy(x.numpy(force=True).argsort(axis=-1))
        return torch.take_along_dim(x, order, -1), order

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(output[1])

    @staticmethod
    def backward(ctx, g, _g_order):
        order = ctx.saved_tensors[0]
        return torch.zeros_like(g).scatter(-1, order, g)

    @staticmethod
    def vmap(info, in_dims, x):
        pairs = [NumpySortVmap.apply(row) for row in x.unbind(in_dims[0])]
        values, orders = zip(*pairs)
        return (torch.stack(values), torch.stack(orders)), (0, 0)
