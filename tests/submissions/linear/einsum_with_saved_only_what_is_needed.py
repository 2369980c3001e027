# expected: right
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.has_bias = bias is not None
        ctx.save_for_backward(
            x if ctx.needs_input_grad[1] else None, weight if ctx.needs_input_grad[0] else None
        )
        out = torch.einsum("ni,oi->no", x, weight)
        return out if bias is None else out.add(bias)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        gx = None if weight is None else torch.einsum("no,oi->ni", g, weight)
        gw = None if x is None else torch.einsum("no,ni->oi", g, x)
        gb = torch.einsum("no->o", g) if ctx.has_bias and ctx.needs_input_grad[2] else None
        return gx, gw, gb, None
