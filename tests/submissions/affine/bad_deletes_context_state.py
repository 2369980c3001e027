# expected: deletes-context-state
from torch.autograd import Function


class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = scale
        return x * scale + shift

    @staticmethod
    def backward(ctx, grad_output):
        scale = ctx.scale
        del ctx.scale
        return grad_output * scale, None, None
