# expected: right
import torch
from torch.autograd import Function


def product(x, v):
    n = torch.sqrt((x * x).sum())
    return v * n + x * (x * v).sum() / n


class ScaleByNorm(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * torch.sqrt((x * x).sum())

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)

    @staticmethod
    def backward(ctx, g):
        return product(ctx.saved_tensors[0], g)

    @staticmethod
    def jvp(ctx, t):
        return product(ctx.saved_tensors[0], t)
