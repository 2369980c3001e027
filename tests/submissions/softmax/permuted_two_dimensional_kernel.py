# expected: right
import torch
from torch.autograd import Function


def to_rows(t, dim):
    return t.movedim(dim, -1).reshape(-1, t.size(dim))


class Base(Function):
    @classmethod
    def rows_backward(cls, y, g):
        return y * g - y * torch.bmm(y[:, None], g[:, :, None])[:, 0]


class Softmax(Base):
    @staticmethod
    def forward(ctx, x, dim):
        y = torch.nn.Softmax(dim)(x)
        ctx.mark_non_differentiable()
        ctx.save_for_backward(y)
        ctx.dim, ctx.shape = dim, x.movedim(dim, -1).shape
        return y

    @classmethod
    def backward(cls, ctx, g):
        (y,) = ctx.saved_tensors
        rows = Softmax.rows_backward(to_rows(y, ctx.dim), to_rows(g, ctx.dim))
        return rows.view(ctx.shape).movedim(-1, ctx.dim), None
