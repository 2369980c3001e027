# expected: autograd-in-backward
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x.clone()
        ctx.mark_dirty(x)
        return x.relu_()

    @staticmethod
    def backward(ctx, g):
        with torch.enable_grad():
            x = ctx.x.requires_grad_()
            return torch.autograd.grad(x.relu(), x, g)[0]
