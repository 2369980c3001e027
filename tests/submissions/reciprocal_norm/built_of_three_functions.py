# expected: right
import torch
from torch.autograd import Function


class SquaredLength(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.square().sum(-1)

    @staticmethod
    def backward(ctx, g):
        return 2 * g.unsqueeze(-1) * ctx.saved_tensors[0]


class InverseRoot(Function):
    @staticmethod
    def forward(ctx, s):
        r = s.rsqrt()
        ctx.save_for_backward(s, r)
        return r

    @staticmethod
    def backward(ctx, g):
        s, r = ctx.saved_tensors
        return -0.5 * g * r / s


class ReciprocalNorm(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return InverseRoot.apply(SquaredLength.apply(x))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        r = InverseRoot.apply(SquaredLength.apply(x))
        return -(g * r**3).unsqueeze(-1) * x
