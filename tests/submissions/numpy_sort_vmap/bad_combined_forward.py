# expected: no-setup-context
import numpy as np
import torch


class NumpySortVmap(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        order = torch.from_numpy(np.argsort(x.detach().numpy(), axis=-1))
        ctx.save_for_backward(order)
        return x.gather(-1, order)

    @staticmethod
    def backward(ctx, g):
        (order,) = ctx.saved_tensors
        return torch.zeros_like(g).scatter(-1, order, g)

    @staticmethod
    def vmap(info, in_dims, x):
        return NumpySortVmap.apply(x.movedim(in_dims[0], 0)), 0
