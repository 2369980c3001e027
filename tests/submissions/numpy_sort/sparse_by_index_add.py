# expected: right
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    @staticmethod
    def forward(x):
        flat = x.detach().cpu().numpy().copy()
        flat.sort(axis=-1)
        return torch.from_numpy(flat)

    @staticmethod
    def setup_context(ctx, inputs, output):
        n = inputs[0].shape[-1]
        order = torch.from_numpy(inputs[0].detach().numpy().reshape(-1, n).argsort(1))
        ctx.places = (order + n * torch.arange(len(order))[:, None]).reshape(-1)
        ctx.shape = inputs[0].shape

    @staticmethod
    def backward(ctx, g):
        zeros = torch.zeros(g.numel(), dtype=g.dtype)
        return zeros.index_add(0, ctx.places, g.reshape(-1)).reshape(ctx.shape)
