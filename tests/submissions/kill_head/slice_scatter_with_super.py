# expected: right
import torch


class Base(torch.autograd.Function):
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.n = inputs[1]

    @staticmethod
    def backward(ctx, g):
        return torch.slice_scatter(g, torch.zeros_like(g[:, : ctx.n]), 1, 0, ctx.n), None


class KillHead(Base):
    @staticmethod
    def forward(x, n):
        return torch.slice_scatter(x, torch.zeros_like(x[:, :n]), 1, 0, n)

    @staticmethod
    def backward(ctx, g):
        return Base.backward(ctx, g)
