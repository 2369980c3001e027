# expected: wrong
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.given, ctx.rows = x.shape, index
        return x[index]

    @staticmethod
    def backward(ctx, g):
        return g[ctx.rows % g.shape[0]], None
