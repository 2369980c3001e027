# expected: saved-a-non-tensor
from course.engine import Function


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x, p)
        return x**p

    @staticmethod
    def backward(ctx, g):
        x, p = ctx.saved_tensors
        return g * p * x ** (p - 1), None
