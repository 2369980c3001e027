# expected: right
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.save_for_backward(Tensor(np.eye(x.shape[0])[index]))
        return x[index]

    @staticmethod
    def backward(ctx, g):
        (selection,) = ctx.saved_tensors
        return selection.T @ g, None
