# expected: right
import torch


class _Masked(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, mask):
        ctx.save_for_backward(mask)
        return x * mask

    @staticmethod
    def backward(ctx, g):
        (mask,) = ctx.saved_tensors
        return _Masked.apply(g, mask), None


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        mask = (torch.rand(x.shape, generator=generator, dtype=torch.float64) > p).to(x) / (1 - p)
        ctx.save_for_backward(mask)
        return x * mask

    @staticmethod
    def backward(ctx, g):
        return _Masked.apply(g, ctx.saved_tensors[0]), None, None
