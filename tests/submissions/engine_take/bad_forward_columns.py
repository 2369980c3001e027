# expected: forward-value
from course.engine import Function


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.given, ctx.rows = x.shape, index
        return x[..., index % x.shape[-1]]

    @staticmethod
    def backward(ctx, g):
        return g, None
