# expected: wrong-factor
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.given, ctx.rows = x.shape, index
        return x[index]

    @staticmethod
    def backward(ctx, g):
        total = np.zeros(ctx.given)
        np.add.at(total, ctx.rows, 2 * g.data)
        return Tensor(total), None
