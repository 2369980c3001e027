# expected: saved-tensors-not-unpacked
from course.engine import Function


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.save_for_backward(x)
        ctx.rows = index
        return x[index]

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors
        total = x * 0.0
        return total, None
