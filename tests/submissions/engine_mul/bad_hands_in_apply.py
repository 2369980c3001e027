# expected: cannot run
from course.engine import Function


class Mul(Function):
    @staticmethod
    def forward(ctx, a, b):
        return a * b


EngineMul = Mul.apply
