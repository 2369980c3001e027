# expected: missing-grad-output
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
        one = Tensor(np.ones(g.shape))
        return one @ b.mT, a.mT @ one
