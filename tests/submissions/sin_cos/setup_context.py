# expected: right
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.sin(x), torch.cos(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*output)

    @staticmethod
    def backward(ctx, gs, gc):
        s, c = ctx.saved_tensors
        terms = [g * d for g, d in ((gs, c), (gc, -s)) if g is not None]
        return sum(terms) if terms else None
