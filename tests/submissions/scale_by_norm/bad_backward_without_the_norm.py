# expected: missing-normaliser-term
import torch


class ScaleByNorm(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * x.norm()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return x.norm() * g

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        n = x.norm()
        return n * t + x * (x @ t) / n
