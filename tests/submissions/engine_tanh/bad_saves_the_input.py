# expected: saves-too-much
from course.engine import Function


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.tanh()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        y = x.tanh()
        return g * (1 - y * y)
