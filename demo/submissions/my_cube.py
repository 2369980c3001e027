"""x³ and its derivative as a second output, so that higher orders can flow through it."""

import torch


class MyCube(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x**3, 3 * x**2

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        _, slope = output
        ctx.save_for_backward(x, slope)

    @staticmethod
    def backward(ctx, grad_cube, grad_slope):
        x, slope = ctx.saved_tensors
        return grad_cube * slope + grad_slope * 6 * x
