# expected: right
import torch


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(u, v):
        return u.abs() * v.abs()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        return u.sign() * v.abs() * g, v.sign() * u.abs() * g
