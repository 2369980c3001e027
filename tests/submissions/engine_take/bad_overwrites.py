# expected: overwrites-instead-of-accumulates
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
        total[ctx.rows] = g.data
        return Tensor(total), None
