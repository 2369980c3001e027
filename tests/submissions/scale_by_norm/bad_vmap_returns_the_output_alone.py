# expected: wrong
import torch


class ScaleByNorm(torch.autograd.Function):
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
        n = x.norm()
        return n * g + x * (x @ g) / n

    @staticmethod
    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        n = x.norm()
        return n * t + x * (x @ t) / n

    @staticmethod
    def vmap(info, in_dims, x):
        rows = x.movedim(in_dims[0], 0)
        return torch.stack([ScaleByNorm.apply(row) for row in rows])
