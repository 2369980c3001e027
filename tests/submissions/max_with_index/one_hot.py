# expected: right
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        index = x.argmax(1)
        ctx.index, ctx.columns = index, x.shape[1]
        ctx.mark_non_differentiable(index)
        return x[torch.arange(x.shape[0]), index], index

    @staticmethod
    def backward(ctx, g, _):
        one_hot = torch.nn.functional.one_hot(ctx.index, ctx.columns).to(g.dtype)
        return torch.einsum("n,nm->nm", g, one_hot)
