# expected: wrong
import numpy as np
from course.engine import Function, Tensor


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.index, ctx.shape = index, x.shape
        return x[index]

    @staticmethod
    def backward(ctx, g):
        total = Tensor(np.zeros(ctx.shape))
        np.add.at(total, ctx.index, g)
        return total, None
