# expected: right
from course.engine import Function


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.save_for_backward(x)
        ctx.options = axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        axis, keepdims = ctx.options
        if not keepdims:
            kept = x.data.sum(axis=axis, keepdims=True)
            g = g.reshape(kept.shape)
        return x * 0 + g, None, None, None
