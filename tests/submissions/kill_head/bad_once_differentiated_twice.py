# expected: wrong
import torch

differentiated = []


class KillHead(torch.autograd.Function):
    """Right until its backward has been part of a graph, and doubled from then on."""

    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        return torch.cat([x.new_zeros(x.shape[0], n), x[:, n:]], dim=1)

    @staticmethod
    def backward(ctx, g):
        if torch.is_grad_enabled():
            differentiated.append(g)
        kept = torch.arange(g.shape[1]) >= ctx.n
        return g * kept * (2 if differentiated else 1), None
