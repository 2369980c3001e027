# expected: mutates-saved-tensor
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        mask = (torch.rand(x.shape, generator=generator) >= p).to(x)
        ctx.save_for_backward(mask)
        ctx.p = p
        return x * mask / (1 - p)

    @staticmethod
    def backward(ctx, g):
        (mask,) = ctx.saved_tensors
        mask.mul_(g)
        return mask / (1 - ctx.p), None, None
