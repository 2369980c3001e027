"""A tensor times a number."""

from torch.autograd import Function


class MulConstant(Function):
    @staticmethod
    def forward(ctx, tensor, constant):
        ctx.constant = constant
        return constant * tensor

    @staticmethod
    def backward(ctx, grad_output):
        return ctx.constant * grad_output, None
