# expected: right
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.given, ctx.rows = x.shape, index
        return Tensor(x.data[index])

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        total = np.zeros(ctx.given)
        np.add.at(total, ctx.rows, g.data)
        return Tensor(total), None
