# expected: right
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.save_for_backward(x)
        ctx.rows = [int(i) for i in index]
        return x[index]

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        total = x * 0
        for place, row in enumerate(ctx.rows):
            unit = np.zeros((x.shape[0],) + (1,) * (x.ndim - 1))
            unit[row] = 1
            total = total + g[place] * Tensor(unit)
        return total, None, None
