# expected: intermediate-kept-on-ctx
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = x.exp(), (-x).exp()
        ctx.save_for_backward(up, down)
        return (up - down) / 2

    @staticmethod
    def backward(ctx, g):
        up, down = ctx.saved_tensors
        return g * (up + down) / 2
