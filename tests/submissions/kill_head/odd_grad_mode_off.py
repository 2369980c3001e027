# expected: right
import torch

torch.set_grad_enabled(False)


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        y = x.clone()
        y[:, :n] = 0
        return y

    @staticmethod
    def backward(ctx, g):
        dx = g.clone()
        dx[:, : ctx.n] = 0
        return dx, None
