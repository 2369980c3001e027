# expected: state-on-class
import numpy as np
from course.engine import Function, Tensor, once_differentiable


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        EngineTake.rows, EngineTake.given = index, x.shape
        return x[index]

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        total = np.zeros(EngineTake.given)
        np.add.at(total, EngineTake.rows, g.data)
        return Tensor(total), None
