# expected: right
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * x * x, 3 * x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        _, slope = output
        ctx.save_for_backward(x, slope)

    @staticmethod
    def backward(ctx, g, g_slope):
        x, slope = ctx.saved_tensors
        return g * slope + g_slope * 6 * x
