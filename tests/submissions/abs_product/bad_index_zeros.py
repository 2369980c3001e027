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
        du, dv = torch.zeros_like(u), torch.zeros_like(v)
        if ctx.needs_input_grad[1]:
            du = g * s * v
        if ctx.needs_input_grad[0]:
            dv = g * s * u
        return du, dv
