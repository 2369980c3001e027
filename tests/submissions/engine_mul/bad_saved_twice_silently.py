# expected: saved-twice
from course.engine import Function


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(b)
        ctx.save_for_backward(a)
        return a * b

    @staticmethod
    def backward(ctx, g):
        (b,) = ctx.saved_tensors
        return g * b, g * b
