# expected: state-on-class
from course.engine import Function


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        EngineMatmul.saved_pair = a, b
        return a @ b

    @staticmethod
    def backward(ctx, g):
        a, b = EngineMatmul.saved_pair
        return g @ b.mT, a.mT @ g
