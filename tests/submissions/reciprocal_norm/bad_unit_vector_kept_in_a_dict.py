# expected: intermediate-kept-on-ctx
import torch


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        n = x.norm(dim=-1)
        ctx.cache = {"unit": x / n[..., None]}
        ctx.save_for_backward(1 / n)
        return 1 / n

    @staticmethod
    def backward(ctx, g):
        (r,) = ctx.saved_tensors
        return -(g * r * r)[..., None] * ctx.cache["unit"]
