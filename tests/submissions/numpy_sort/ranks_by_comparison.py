# expected: right
import numpy as np
import torch


class NumpySort(torch.autograd.Function):
    """The rank of an entry is the number of smaller ones; its gradient is the cotangent at its rank."""

    @staticmethod
    def forward(x):
        return x.new_tensor(np.sort(x.detach().numpy()))

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        rank = (x.unsqueeze(-1) > x.unsqueeze(-2)).sum(-1)
        return torch.take_along_dim(g, rank, dim=-1)
