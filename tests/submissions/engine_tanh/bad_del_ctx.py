# expected: deletes-context-state
from course.engine import Function


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.tanh()
        ctx.save_for_backward(y)
        ctx.one = 1.0
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        one = ctx.__dict__.pop("one")
        return g * (one - y * y)
