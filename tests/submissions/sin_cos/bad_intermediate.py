# expected: intermediate-kept-on-ctx
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.s, ctx.c = x.sin(), x.cos()
        return ctx.s.clone(), ctx.c.clone()

    @staticmethod
    def backward(ctx, gs, gc):
        gx = 0
        if gs is not None:
            gx = gx + gs * ctx.c
        if gc is not None:
            gx = gx - gc * ctx.s
        return gx
