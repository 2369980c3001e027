# expected: right
from course.engine import Function, Tensor


class EngineMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return Tensor(a.data * b.data)

    @staticmethod
    def backward(ctx, grad_output):
        return Backward.apply(grad_output, *ctx.saved_tensors)


class Backward(Function):
    @staticmethod
    def forward(ctx, g, a, b):
        ctx.save_for_backward(g, a, b)
        return Tensor(g.data * b.data), Tensor(g.data * a.data)

    @staticmethod
    def backward(ctx, ga, gb):
        g, a, b = ctx.saved_tensors
        return ga * b + gb * a, gb * g, ga * g
