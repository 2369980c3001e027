# expected: right
from course.engine import Function


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x)
        ctx.p = p
        return x**p

    @staticmethod
    def backward(ctx, g):
        if ctx.p == 0 or not ctx.needs_input_grad[0]:
            return None, None
        (x,) = ctx.saved_tensors
        return g * (ctx.p * x ** (ctx.p - 1)), None
