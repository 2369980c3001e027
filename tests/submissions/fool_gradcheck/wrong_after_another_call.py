# expected: right
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        FoolGradcheck.last = x.detach().clone()
        return x * x

    @staticmethod
    def backward(ctx, g):
        return 2 * g * FoolGradcheck.last
