# expected: right
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.rows, ctx.columns = x.shape
        index = torch.tensor([max(range(len(row)), key=row.__getitem__) for row in x.tolist()])
        ctx.mark_non_differentiable(index)
        ctx.places = index.tolist()
        return x.gather(1, index[:, None]).squeeze(1), index

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g, _):
        gx = torch.zeros(ctx.rows, ctx.columns, dtype=g.dtype)
        for row, column in enumerate(ctx.places):
            gx[row, column] = g[row]
        return gx
