# expected: state-on-class
from course.engine import Function


saved = []


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        saved[:] = [a, b]
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = saved
        return g * b, g * a
