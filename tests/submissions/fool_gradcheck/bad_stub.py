# expected: wrong
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        raise NotImplementedError
