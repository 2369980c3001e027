# expected: right
import torch


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        r = torch.rsqrt((x * x).sum(-1))
        ctx.save_for_backward(x, r)
        return r

    @staticmethod
    def backward(ctx, g):
        x, r = ctx.saved_tensors
        return -(g * r**3)[..., None] * x
