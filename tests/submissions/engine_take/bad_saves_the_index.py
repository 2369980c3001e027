# expected: saved-a-non-tensor
from course.engine import Function


class EngineTake(Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.save_for_backward(x, index)
        return x[index]

    @staticmethod
    def backward(ctx, g):
        x, index = ctx.saved_tensors
        return x * 0, None
