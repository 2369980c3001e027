# expected: right
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(x, index):
        return x[index]

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.rows = inputs
        ctx.count = x.shape[0]

    @staticmethod
    def backward(ctx, g):
        one_hot = (np.arange(ctx.count)[:, None] == ctx.rows).astype(float)
        return Tensor(one_hot) @ g, None
