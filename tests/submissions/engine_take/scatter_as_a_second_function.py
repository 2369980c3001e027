# expected: right
import numpy as np
from course.engine import Function, Tensor


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.given, ctx.rows = x.shape, index
        return Tensor(x.data[index])

    @staticmethod
    def backward(ctx, g):
        return Scatter.apply(g, ctx.rows, ctx.given), None


class Scatter(Function):
    @staticmethod
    def forward(ctx, g, rows, shape):
        ctx.rows = rows
        total = np.zeros(shape, g.dtype)
        np.add.at(total, rows, g.data)
        return Tensor(total)

    @staticmethod
    def backward(ctx, gg):
        return EngineTake.apply(gg, ctx.rows), None, None
