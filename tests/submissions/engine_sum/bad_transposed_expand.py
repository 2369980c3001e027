# expected: wrong
from course.engine import Function, broadcast_to


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.given, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, g):
        if ctx.axis is None or ctx.keepdims or len(ctx.given) != 2:
            g = (
                g
                if ctx.axis is None or ctx.keepdims
                else g.reshape(tuple(1 if i == ctx.axis else n for i, n in enumerate(ctx.given)))
            )
            return broadcast_to(g, ctx.given), None, None
        rows, columns = ctx.given
        copies = broadcast_to(g.reshape(-1, 1), (g.size, rows * columns // g.size))
        return copies.reshape(ctx.given), None, None
