# expected: wrong-needs-input-grad-index
import torch


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return (u * v).abs()

    @staticmethod
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        s = torch.sign(u * v)
        du = g * s * v if ctx.needs_input_grad[1] else None
        dv = g * s * u if ctx.needs_input_grad[0] else None
        return du, dv
