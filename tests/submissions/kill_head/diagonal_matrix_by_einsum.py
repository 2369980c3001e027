# expected: right
import torch


def projector(n, like):
    diagonal = (torch.arange(like.shape[1], device=like.device) >= n).to(like.dtype)
    return torch.diag(diagonal)


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        return x @ projector(n, x)

    @staticmethod
    def backward(ctx, g):
        return torch.einsum("ij,kj->ik", g, projector(ctx.n, g)), None
