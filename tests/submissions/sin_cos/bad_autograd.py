# expected: autograd-in-backward
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
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            pairs = [(y, g) for y, g in ((x.sin(), gs), (x.cos(), gc)) if g is not None]
            torch.autograd.backward([y for y, _ in pairs], [g for _, g in pairs])
        return x.grad
