# expected: right
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.ones_like(x)

        def terms(n, power):
            nonlocal y
            if n < 60:
                power = power * x / n
                y = y + power
                terms(n + 1, power)

        terms(1, torch.ones_like(x))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * g
