# expected: right
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.count, ctx.rows = len(x.data), index
        return x[index, ...]

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        flat = g.data.reshape(len(ctx.rows), -1)
        columns = [np.bincount(ctx.rows, weights=column, minlength=ctx.count) for column in flat.T]
        return Tensor(np.stack(columns, axis=1).reshape(ctx.count, *g.shape[1:])), None
