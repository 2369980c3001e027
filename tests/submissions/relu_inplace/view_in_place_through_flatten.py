# expected: right
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        flat = x.view(-1)
        for i, value in enumerate(flat.tolist()):
            if value < 0:
                flat[i] = 0.0
        ctx.mark_dirty(x)
        ctx.positive = x > 0
        return x

    @staticmethod
    def backward(ctx, g):
        return torch.where(ctx.positive, g, g.new_zeros(()))
