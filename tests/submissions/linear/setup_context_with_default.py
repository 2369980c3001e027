# expected: right
import torch
import torch.nn.functional as F


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(x, weight, bias=None):
        return F.linear(x, weight, bias)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, weight, bias = inputs
        ctx.save_for_backward(x, weight)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        need = ctx.needs_input_grad
        return (
            F.linear(g, weight.T) if need[0] else None,
            F.linear(g.T, x.T) if need[1] else None,
            g.sum(0) if need[2] else None,
        )
