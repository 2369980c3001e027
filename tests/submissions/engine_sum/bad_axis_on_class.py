# expected: state-on-class
from course.engine import Function, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.given, EngineSum.axis, EngineSum.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        if EngineSum.axis is not None and not EngineSum.keepdims:
            g = g.reshape(tuple(1 if i == EngineSum.axis else n for i, n in enumerate(ctx.given)))
        return broadcast_to(g, ctx.given), None, None
