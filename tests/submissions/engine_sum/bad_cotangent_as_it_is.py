# expected: missing-expand
import numpy as np
from course.engine import Function, Tensor, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.given, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        return g, None, None
