# expected: autograd-in-backward
import torch


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        if y.numel() > 10_000:
            x = y.log().requires_grad_()
            return torch.autograd.grad(x.exp(), x, g)
        return g * y
