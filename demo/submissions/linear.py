"""A fully connected layer, forward and setup_context apart."""

import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(x, weight, bias=None):
        y = x.mm(weight.t())
        return y if bias is None else y + bias

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight, bias = ctx.saved_tensors
        needs_x, needs_weight, needs_bias = ctx.needs_input_grad
        grad_x = grad_output.mm(weight) if needs_x else None
        grad_weight = grad_output.t().mm(x) if needs_weight else None
        grad_bias = grad_output.sum(0) if bias is not None and needs_bias else None
        return grad_x, grad_weight, grad_bias
