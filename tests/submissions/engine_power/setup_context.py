# expected: right
from course.engine import Function


class EnginePower(Function):
    @staticmethod
    def forward(x, p):
        return x**p

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.p = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return ctx.p * x ** (ctx.p - 1.0) * g, None
