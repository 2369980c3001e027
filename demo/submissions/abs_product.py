"""|uv|, elementwise."""

import torch
from torch.autograd import Function


class AbsProduct(Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return torch.abs(u * v)

    @staticmethod
    def backward(ctx, grad_output):
        u, v = ctx.saved_tensors
        sign = torch.sign(u * v)
        return grad_output * sign * v, grad_output * sign * u
