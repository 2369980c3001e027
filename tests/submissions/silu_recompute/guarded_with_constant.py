# expected: right
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.one = torch.ones((), dtype=x.dtype)
        ctx.shape = x.shape
        return x * x.sigmoid()

    @staticmethod
    def backward(ctx, g):
        if ctx.needs_input_grad[0]:
            (x,) = ctx.saved_tensors
            s = torch.special.expit(x)
            return (g * torch.addcmul(s, x * s, ctx.one - s)).reshape(ctx.shape)
        return None
