# expected: wrong
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
            return broadcast_to(g.reshape(-1)[:1], ctx.given), None, None
        return broadcast_to(g, ctx.given), None, None
