# expected: right
import torch


class ScaleByNorm(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.linalg.vector_norm(x) * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs, output)
        ctx.save_for_forward(*inputs, output)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        n = torch.linalg.vector_norm(x)
        return g * n + torch.dot(g, x) * y / n**2

    @staticmethod
    def jvp(ctx, t):
        x, y = ctx.saved_tensors
        n = torch.linalg.vector_norm(x)
        return t * n + torch.dot(t, x) * y / n**2
