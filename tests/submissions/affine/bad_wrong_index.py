# expected: wrong-needs-input-grad-index
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x)
        ctx.scale, ctx.shift = scale, shift
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        gx = g * ctx.scale if ctx.needs_input_grad[1] else None
        return gx, None, None
