# expected: right
from course.engine import Function, Tensor


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.save_for_backward(x)
        ctx.p = p
        return Tensor(x.data**p)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.p * EnginePower.apply(x, ctx.p - 1), None
