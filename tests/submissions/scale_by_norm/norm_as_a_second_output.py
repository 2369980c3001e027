# expected: right
import torch


class ScaleByNorm(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        n = x.norm()
        return x * n, n

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        _, n = output
        ctx.save_for_backward(x, n)
        ctx.save_for_forward(x, n)

    @staticmethod
    def backward(ctx, g, g_norm):
        x, n = ctx.saved_tensors
        return n * g + (x @ g + g_norm) * x / n

    @staticmethod
    def jvp(ctx, t):
        x, n = ctx.saved_tensors
        dn = x @ t / n
        return n * t + x * dn, dn
