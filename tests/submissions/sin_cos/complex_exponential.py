# expected: right
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        z = torch.exp(1j * x)
        cos, sin = z.real.clone(), z.imag.clone()
        ctx.save_for_backward(sin, cos)
        return sin, cos

    @staticmethod
    def backward(ctx, gs, gc):
        sin, cos = ctx.saved_tensors
        zero = torch.zeros_like(sin)
        return (zero if gs is None else gs * cos) - (zero if gc is None else gc * sin)
