# expected: wrongly-once-differentiable
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class CubeBackward(Function):
    @staticmethod
    def forward(ctx, g, x):
        ctx.save_for_backward(g, x)
        return 3 * g * x * x

    @staticmethod
    @once_differentiable
    def backward(ctx, a):
        g, x = ctx.saved_tensors
        return 3 * a * x * x, 6 * a * g * x


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        return CubeBackward.apply(g, *ctx.saved_tensors)
