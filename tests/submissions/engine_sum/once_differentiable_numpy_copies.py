# expected: right
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineSum(Function):
    @staticmethod
    def forward(ctx, x, axis, keepdims):
        ctx.x_shape, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return Tensor(x.data.sum(axis=axis, keepdims=keepdims))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        gradient = np.asarray(g.data)
        if ctx.axis is not None and not ctx.keepdims:
            gradient = np.expand_dims(gradient, ctx.axis)
        return Tensor(np.array(np.broadcast_to(gradient, ctx.x_shape))), None, None
