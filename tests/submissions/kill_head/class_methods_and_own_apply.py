# expected: right
import torch


class KillHead(torch.autograd.Function):
    @classmethod
    def apply(cls, x, n=1):
        return super().apply(x, n)

    @classmethod
    def forward(cls, ctx, x, n):
        ctx.n = n
        return cls.project(x, n)

    @classmethod
    def backward(cls, ctx, g):
        return cls.project(g, ctx.n), None

    @classmethod
    def project(cls, t, n):
        return torch.where(torch.arange(t.shape[-1]) < n, torch.zeros_like(t), t)
