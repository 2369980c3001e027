# expected: mutates-saved-tensor
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
        return u.mul_(g * s).div_(u) * v, g * s * u
