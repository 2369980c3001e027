# expected: state-on-class
from course.engine import Function


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x)
        EnginePower.p = p
        EnginePower.x = x
        return x**p

    @staticmethod
    def backward(ctx, g):
        return g * EnginePower.p * EnginePower.x ** (EnginePower.p - 1), None
