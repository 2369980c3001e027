# expected: right
import torch


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.set_materialize_grads(False)
        ctx.limit = limit
        return x.detach().clone()

    @staticmethod
    def backward(ctx, g):
        if g is None:
            return None, None
        return g.sign() * g.abs().clip(max=ctx.limit), None
