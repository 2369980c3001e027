# expected: right
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def vjp(ctx, *gs):
        (x,) = ctx.saved_tensors
        gx = torch.zeros_like(x)
        for g, slope in zip(gs, (x.cos(), -x.sin())):
            if g is not None:
                gx = gx + g * slope
        return gx, None
