# expected: right
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return torch.tensor(np.abs(u.detach().numpy() * v.detach().numpy()))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        u, v = (t.numpy() for t in ctx.saved_tensors)
        g = g.numpy() * np.sign(u * v)
        return torch.from_numpy(g * v), torch.from_numpy(g * u)
