# expected: output-kept-on-ctx
from course.engine import Function


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.y = x.tanh()
        return ctx.y

    @staticmethod
    def backward(ctx, g):
        return g * (1 - ctx.y * ctx.y)
