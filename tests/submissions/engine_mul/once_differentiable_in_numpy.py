# expected: right
import numpy as np
from course import engine
from course.engine import once_differentiable


class EngineMul(engine.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return engine.Tensor(np.multiply(a.data, b.data))

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        a, b = (t.data for t in ctx.saved_tensors)
        return engine.Tensor(np.multiply(g.data, b)), engine.Tensor(np.multiply(g.data, a))
