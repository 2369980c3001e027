# expected: forward-value
from torch.autograd import Function


class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = scale
        return (x * scale + shift,)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.scale, None, None
