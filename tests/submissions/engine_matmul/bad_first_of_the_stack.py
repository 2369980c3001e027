# expected: wrong
import numpy as np
from course.engine import Function, Tensor


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        grad_a = g @ b.mT
        if grad_a.ndim > 2:
            grad_a = grad_a * (np.arange(grad_a.shape[0]).reshape(-1, *[1] * (grad_a.ndim - 1)) == 0)
        return grad_a, a.mT @ g
