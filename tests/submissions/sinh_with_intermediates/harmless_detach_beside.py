# expected: right
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sinh(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        largest = x.detach().abs().max().item()
        assert largest < 700
        with torch.no_grad():
            zero = torch.zeros_like(g)
        return g * torch.cosh(x) + zero
