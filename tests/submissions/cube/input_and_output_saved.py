# expected: right
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.pow(3)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return 3 * g * y / x
