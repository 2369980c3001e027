# expected: saved-a-non-tensor
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.save_for_backward(strength)
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        (strength,) = ctx.saved_tensors
        return -strength * g, None
