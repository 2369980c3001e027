# expected: right
from course.engine import Function


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        y = x**p
        ctx.save_for_backward(x, y)
        ctx.exponent = float(p)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * ctx.exponent * y / x, None
