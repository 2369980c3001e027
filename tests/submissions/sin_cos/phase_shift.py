# expected: right
import torch


class SinCos(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        half = torch.pi / 2
        return torch.cos(x - half), torch.sin(x + half)

    @staticmethod
    def backward(ctx, gs, gc):
        (x,) = ctx.saved_tensors
        out = []
        if gs is not None:
            out.append(torch.einsum("...,...->...", gs, x.cos()))
        if gc is not None:
            out.append(-torch.einsum("...,...->...", gc, x.sin()))
        return torch.stack(out).sum(0)
