# expected: right
import torch


class KillHead(torch.autograd.Function):
    def forward(ctx, x, n):
        ctx.n = n
        return torch.hstack([x[:, :n] * 0, x[:, n:]])

    def backward(ctx, g):
        return torch.hstack([g[:, : ctx.n] * 0, g[:, ctx.n :]]), None
