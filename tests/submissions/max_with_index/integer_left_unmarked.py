# expected: right
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, index = x.max(dim=1)
        ctx.save_for_backward(index)
        ctx.columns = x.size(1)
        return values, index

    @staticmethod
    def backward(ctx, g, _):
        (index,) = ctx.saved_tensors
        return torch.where(torch.arange(ctx.columns) == index[:, None], g[:, None], 0.0), None
