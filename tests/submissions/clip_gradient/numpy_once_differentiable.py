# expected: right
import torch
import numpy as np
from torch.autograd.function import once_differentiable


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        return x * 1.0

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        return torch.from_numpy(np.clip(g.numpy(), -ctx.limit, ctx.limit)), None
