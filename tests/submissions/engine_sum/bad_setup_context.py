# expected: setup-context-not-unpacked
from course.engine import Function, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(x, axis, keepdims):
        return x.sum(axis, keepdims)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return broadcast_to(g, x.shape), None, None
