# expected: state-on-class
from course.engine import Function


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        EngineMul.a, EngineMul.b = a, b
        return a * b

    @staticmethod
    def backward(ctx, g):
        return g * EngineMul.b, g * EngineMul.a
