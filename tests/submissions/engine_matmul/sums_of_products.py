# expected: right
from course.engine import Function


class EngineMatmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return (a.reshape(*a.shape, 1) * b.reshape(*b.shape[:-2], 1, *b.shape[-2:])).sum(axis=-2)

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        wide = g.reshape(*g.shape[:-1], 1, g.shape[-1])
        grad_a = (wide * b.reshape(*b.shape[:-2], 1, *b.shape[-2:])).sum(axis=-1)
        grad_b = (wide * a.reshape(*a.shape, 1)).sum(axis=-3)
        return grad_a, grad_b
