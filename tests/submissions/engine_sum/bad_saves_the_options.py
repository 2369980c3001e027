# expected: saved-a-non-tensor
from course.engine import Function, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.save_for_backward(x, axis, keepdims)
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        x, axis, keepdims = ctx.saved_tensors
        return broadcast_to(g, x.shape), None, None
