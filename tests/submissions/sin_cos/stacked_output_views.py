# expected: right
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        y = torch.empty(2, *x.shape, dtype=x.dtype)
        y[0], y[1] = x.sin(), x.cos()
        return tuple(y.unbind())

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        gx = None
        for g, d in ((gs, torch.cos(x)), (gc, torch.sin(x).neg())):
            if g is not None:
                gx = g * d if gx is None else gx + g * d
        return gx
