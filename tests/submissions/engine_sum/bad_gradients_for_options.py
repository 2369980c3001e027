# expected: gradient-for-non-tensor
import numpy as np
from course.engine import Function, Tensor, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.given, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        if ctx.axis is not None and not ctx.keepdims:
            g = g.reshape(tuple(1 if i == ctx.axis else n for i, n in enumerate(ctx.given)))
        return broadcast_to(g, ctx.given), 0, 0
