# expected: autograd-in-backward
import torch


from torch.autograd import grad


def slope(x):
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        return grad(x.exp().sum(), x)[0]


class ExpSavingOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(slope(x))
        return y

    @staticmethod
    def backward(ctx, g):
        (d,) = ctx.saved_tensors
        return g * d
