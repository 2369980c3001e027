# expected: captured-tensor
import torch


one = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = (x * one).exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y
