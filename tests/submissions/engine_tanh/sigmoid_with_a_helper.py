# expected: right
from course.engine import Function


def derivative(y):
    return 1 - y * y


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        y = 2 * (2 * x).sigmoid() - 1
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        return g * derivative(*ctx.saved_tensors)
