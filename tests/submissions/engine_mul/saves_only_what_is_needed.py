# expected: right
from course.engine import Function


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        wanted_a, wanted_b = ctx.needs_input_grad
        ctx.save_for_backward(b if wanted_a else None, a if wanted_b else None)
        return a * b

    @staticmethod
    def backward(ctx, g):
        b, a = ctx.saved_tensors
        return (None if b is None else g * b), (None if a is None else g * a)
