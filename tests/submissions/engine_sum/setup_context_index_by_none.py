# expected: right
from course.engine import Function, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(x, axis, keepdims):
        return x.sum(axis=axis, keepdims=keepdims)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.axis, ctx.keepdims = inputs
        ctx.old = x.shape

    @staticmethod
    def backward(ctx, g):
        if not ctx.keepdims and ctx.axis is not None:
            g = g[(slice(None),) * ctx.axis + (None,)]
        return broadcast_to(g, ctx.old), None, None
