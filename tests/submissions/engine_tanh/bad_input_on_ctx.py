# expected: input-kept-on-ctx
from course.engine import Function


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x.tanh()

    @staticmethod
    def backward(ctx, g):
        return g * (1 - ctx.x.tanh() ** 2)
