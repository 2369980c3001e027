# expected: saved-tensors-not-unpacked
from course.engine import Function, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.save_for_backward(x)
        ctx.axis, ctx.keepdims = axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors
        return broadcast_to(g, x.shape), None, None
