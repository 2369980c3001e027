# expected: mutates-saved-tensor
from course.engine import Function


class EngineTanh(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.tanh()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        if y.ndim == 0:
            return g * (1 - y * y)
        y.data *= -y.data
        y.data += 1
        return g * y
