# expected: state-on-class
from torch.autograd import Function


class AbsProduct(Function):
    @staticmethod
    def forward(ctx, u, v):
        AbsProduct.inputs = u, v
        return (u * v).abs()

    @staticmethod
    def backward(ctx, grad_output):
        u, v = AbsProduct.inputs
        sign = (u * v).sign()
        return grad_output * sign * v, grad_output * sign * u
