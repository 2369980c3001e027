# expected: deletes-context-state
from course.engine import Function


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        ctx.both = True
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        del ctx.both
        return g * b, g * a
