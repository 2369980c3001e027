# expected: state-on-class
from course.engine import Function


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        EngineTanh.y = x.tanh()
        return EngineTanh.y * 1.0

    @staticmethod
    def backward(ctx, g):
        y = EngineTanh.y
        return g * (1 - y * y)
