# expected: right
import torch
from torch.autograd.function import once_differentiable


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength=1.0):
        ctx.save_for_backward(torch.as_tensor(strength, dtype=x.dtype))
        return x + 0

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (strength,) = ctx.saved_tensors
        out = torch.empty_like(g)
        torch.mul(g, strength, out=out)
        return out.neg_(), None, None
