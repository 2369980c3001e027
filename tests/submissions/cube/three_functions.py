# expected: right
import torch
from torch.autograd import Function


class Six(Function):
    @staticmethod
    def forward(ctx, x):
        return 6 * x

    @staticmethod
    def backward(ctx, g):
        return 6 * g


class ThreeSquares(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 3 * x * x

    @staticmethod
    def backward(ctx, g):
        return g * Six.apply(*ctx.saved_tensors)


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, g):
        return g * ThreeSquares.apply(*ctx.saved_tensors)
