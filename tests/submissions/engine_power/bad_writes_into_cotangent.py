# expected: mutates-grad-output
from course.engine import Function


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x)
        ctx.p = p
        return x**p

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        g.mul_(ctx.p).mul_(x ** (ctx.p - 1))
        return g, None
