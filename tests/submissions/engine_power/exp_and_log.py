# expected: right
from course.engine import Function, exp, log


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x)
        ctx.p = p
        return exp(log(x) * float(p))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        slope = float(ctx.p) * exp(log(x) * float(ctx.p - 1))
        return slope * g, None, None
