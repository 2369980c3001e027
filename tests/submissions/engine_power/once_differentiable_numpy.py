# expected: right
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EnginePower(Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.slope = p * np.power(x.data, p - 1.0)
        return Tensor(np.power(x.data, p))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        return Tensor(g.data * ctx.slope), None
