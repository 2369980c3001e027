# expected: right
import numpy as np
from course.engine import Function, Tensor


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        e = np.exp(2 * x.data)
        y = Tensor((e - 1) / (e + 1))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        y = ctx.saved_tensors[0]
        return g - g * y * y, None
