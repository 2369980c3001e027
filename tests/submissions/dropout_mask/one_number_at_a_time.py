# expected: right
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        keep = [torch.rand((), generator=generator).item() >= p for _ in range(x.numel())]
        ctx.save_for_backward(torch.tensor(keep).reshape(x.shape))
        ctx.p = p
        return torch.where(torch.tensor(keep).reshape(x.shape), x, 0.0) / (1 - p)

    @staticmethod
    def backward(ctx, g):
        (keep,) = ctx.saved_tensors
        return torch.where(keep, g, torch.zeros_like(g)) / (1 - ctx.p), None, None
