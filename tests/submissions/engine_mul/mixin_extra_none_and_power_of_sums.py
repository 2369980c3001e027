# expected: right
import course.engine as ag


class Saving:
    @classmethod
    def keep(cls, ctx, *tensors):
        ctx.save_for_backward(*tensors)


class EngineMul(Saving, ag.Function):
    @classmethod
    def forward(cls, ctx, a, b):
        """a·b = ((a + b)² − (a − b)²) / 4"""
        cls.keep(ctx, b, a)
        return ((a + b) ** 2 - (a - b) ** 2) / 4

    @classmethod
    def backward(cls, ctx, g):
        grads = [other * g for other in ctx.saved_tensors]
        return (*grads, None, None)
