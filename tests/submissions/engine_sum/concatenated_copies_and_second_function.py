# expected: right
from course.engine import Function, concatenate


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.sizes, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return x.sum(axis, keepdims)

    @staticmethod
    def backward(ctx, grad_output):
        return Spread.apply(grad_output, ctx.sizes, ctx.axis, ctx.keepdims), None, None


class Spread(Function):
    @staticmethod
    def forward(ctx, g, sizes, axis, keepdims):
        ctx.axis, ctx.keepdims = axis, keepdims
        axes = range(len(sizes)) if axis is None else [axis]
        g = g.reshape(tuple(1 if i in axes else n for i, n in enumerate(sizes)))
        for i in axes:
            g = concatenate([g] * sizes[i], axis=i)
        return g

    @staticmethod
    def backward(ctx, gg):
        return EngineSum.apply(gg, ctx.axis, ctx.keepdims), None, None, None
