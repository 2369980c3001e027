# expected: right
import torch


class ScaleRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return torch.diag(w) @ x

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return torch.diag(w).T @ g, (g @ x.T).diagonal()
