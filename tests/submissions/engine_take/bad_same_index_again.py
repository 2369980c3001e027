# expected: inverse-permutation
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
        np.add.at(total, np.arange(len(ctx.rows)) % len(total), g.data[ctx.rows % len(g.data)])
        return Tensor(total), None
