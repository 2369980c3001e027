# expected: right
import torch


class DropoutMask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p, generator):
        u = torch.empty_like(x).uniform_(0, 1, generator=generator)
        mask = u.ge(p)
        ctx.save_for_backward(mask)
        ctx.p = p
        return x.masked_fill(~mask, 0).div(1 - p)

    @staticmethod
    def vjp(ctx, g):
        (mask,) = ctx.saved_tensors
        gx = None
        if ctx.needs_input_grad[0]:
            gx = g.masked_fill(~mask, 0).div(1 - ctx.p)
        return gx, None, None
