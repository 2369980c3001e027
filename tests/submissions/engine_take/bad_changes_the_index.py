# expected: mutates-input
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.given, ctx.rows = x.shape, index
        y = x[index]
        index.sort()
        return y

    @staticmethod
    def backward(ctx, g):
        total = np.zeros(ctx.given)
        np.add.at(total, ctx.rows, g.data)
        return Tensor(total), None
