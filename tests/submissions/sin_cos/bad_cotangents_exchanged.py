# expected: wrong
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        gx = None
        if gc is not None:
            gx = gc * x.cos()
        if gs is not None:
            gx = -gs * x.sin() if gx is None else gx - gs * x.sin()
        return gx
