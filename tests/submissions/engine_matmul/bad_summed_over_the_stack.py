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
        grad_b = a.mT @ g
        return g @ b.mT, grad_b if grad_b.ndim == 2 else grad_b.sum(0)
