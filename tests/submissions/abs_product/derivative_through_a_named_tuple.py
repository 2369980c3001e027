# expected: right
from collections import namedtuple

import torch

Gradients = namedtuple("Gradients", "u v")


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return torch.relu(u * v) + torch.relu(-u * v)

    @staticmethod
    def backward(ctx, grad):
        u, v = ctx.saved_tensors
        up = (u * v > 0).double()
        slope = 2 * up - 1
        return Gradients(u=slope * v * grad, v=slope * u * grad)
