# expected: gradient-nonlinear
from course.engine import Function


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * abs(g) * b, g * a
