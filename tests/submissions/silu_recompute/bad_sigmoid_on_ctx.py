# expected: saves-too-much
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.s = torch.sigmoid(x)
        ctx.save_for_backward(x)
        return x * ctx.s

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.s * (1 + x * (1 - ctx.s))
