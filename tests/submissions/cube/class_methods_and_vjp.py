# expected: right
import torch


class Base(torch.autograd.Function):
    exponent = 1

    @classmethod
    def forward(cls, ctx, x):
        ctx.save_for_backward(x)
        return x**cls.exponent

    @classmethod
    def vjp(cls, ctx, g):
        x = ctx.saved_tensors[0]
        return torch.mul(g, cls.exponent * x ** (cls.exponent - 1))


class Cube(Base):
    exponent = 3
