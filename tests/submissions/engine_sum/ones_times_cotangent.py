# expected: right
import numpy as np
from course.engine import Function, Tensor


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.ones, ctx.axis, ctx.keepdims = np.ones(x.shape), axis, keepdims
        return Tensor(np.sum(x.data, axis=axis, keepdims=keepdims))

    @staticmethod
    def backward(ctx, g):
        if ctx.axis is not None and not ctx.keepdims:
            shape = list(ctx.ones.shape)
            shape[ctx.axis] = 1
            g = g.reshape(*shape)
        return ctx.ones * g, None, None
