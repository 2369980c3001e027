# expected: right
import torch


class ScaleRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        column = w.unsqueeze(-1)
        ctx.save_for_backward(x, column)
        return x * column

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        x, column = ctx.saved_tensors
        return g * column, (g * x).sum(-1, keepdim=True).squeeze(-1), None
