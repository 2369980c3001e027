# expected: wrong-needs-input-grad-index
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
        return (g @ b.mT if ctx.needs_input_grad[1] else None), (
            a.mT @ g if ctx.needs_input_grad[0] else None
        )
