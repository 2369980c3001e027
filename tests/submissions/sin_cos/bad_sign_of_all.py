# expected: wrong-sign
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
        if gs is not None:
            gx = gs * x.cos()
        if gc is not None:
            gx = -gc * x.sin() if gx is None else gx - gc * x.sin()
        return -gx
