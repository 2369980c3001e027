# expected: right
from course import engine


def flip(t):
    order = list(range(t.ndim))
    order[-1], order[-2] = order[-2], order[-1]
    return engine.transpose(t, tuple(order))


class EngineMatmul(engine.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return engine.matmul(a, b)

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return flip(b @ flip(g)), flip(flip(g) @ a), None
