# expected: right
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        factor = x.new_full((), scale)
        ctx.save_for_backward(factor)
        return factor * x + x.new_tensor(shift)

    @staticmethod
    def vjp(ctx, g):
        factor = ctx.saved_tensors[0]
        return factor.mul(g), None, None
