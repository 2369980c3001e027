# expected: right
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        square = x.square()
        ctx.save_for_backward(x, square)
        return x * square, square

    @staticmethod
    def backward(ctx, g, g_square):
        x, square = ctx.saved_tensors
        if not ctx.needs_input_grad[0]:
            return None
        grad_input = g.mul(square).mul(3)
        grad_input = grad_input + 2 * g_square * x
        return grad_input
