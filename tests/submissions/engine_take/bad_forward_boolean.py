# expected: forward-value
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.given, ctx.rows = x.shape, index
        return x[np.isin(np.arange(x.shape[0]), index)]

    @staticmethod
    def backward(ctx, g):
        return g, None
