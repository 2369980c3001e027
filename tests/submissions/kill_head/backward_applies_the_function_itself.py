# expected: right
import torch


class KillHead(torch.autograd.Function):
    """Projecting twice is projecting once, and a projection is its own transpose."""

    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        out = x.detach().clone()
        out[:, 0:n] = 0.0
        return out

    @staticmethod
    def backward(ctx, grad_output):
        return KillHead.apply(grad_output, ctx.n), None
