# expected: right
import torch


LOG2 = torch.tensor(2.0, dtype=torch.float64).log()


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp2(x / LOG2.to(x.dtype))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y
