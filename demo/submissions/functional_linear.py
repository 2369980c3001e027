"""A fully connected layer that keeps the batch axis in the gradients of weight and bias."""

import torch
from torch.autograd.function import once_differentiable


class FunctionalLinear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight, bias)
        y = (weight.unsqueeze(0) * x.unsqueeze(1)).sum(dim=-1)
        return y if bias is None else y + bias.unsqueeze(0)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        x, weight, bias = ctx.saved_tensors
        grad_x = (grad_output.unsqueeze(-1) * weight.unsqueeze(0)).sum(dim=1)
        grad_weight = grad_output.unsqueeze(-1) * x.unsqueeze(-2)
        grad_bias = None if bias is None else grad_output.detach().clone()
        return grad_x, grad_weight, grad_bias
