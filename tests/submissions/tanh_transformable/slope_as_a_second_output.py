# expected: right
import torch


class TanhTransformable(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        y = torch.tanh(x)
        return y, 1 - y**2

    @staticmethod
    def setup_context(ctx, inputs, output):
        y, slope = output
        ctx.save_for_backward(y, slope)
        ctx.save_for_forward(y, slope)

    @staticmethod
    def backward(ctx, g, g_slope):
        y, slope = ctx.saved_tensors
        return (g - 2 * y * g_slope) * slope

    @staticmethod
    def jvp(ctx, t):
        y, slope = ctx.saved_tensors
        return t * slope, -2 * y * slope * t
