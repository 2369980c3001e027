# expected: missing-grad-output
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
        gx = torch.zeros_like(x)
        if gs is not None:
            gx = gx + x.cos()
        if gc is not None:
            gx = gx - x.sin()
        return gx
