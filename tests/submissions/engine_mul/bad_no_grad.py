# expected: detached-in-backward
from course.engine import Function, no_grad


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        with no_grad():
            return g * b, g * a
