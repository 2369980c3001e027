# expected: right
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x, weight)
        y = (x[:, None, :] * weight[None, :, :]).sum(-1)
        if bias is not None:
            y += bias
        return y

    @staticmethod
    def backward(ctx, g):
        if g is None:
            return None, None, None
        x, weight = ctx.saved_tensors
        products = ctx.needs_input_grad + (False,) * (3 - len(ctx.needs_input_grad))
        dx = (g[:, :, None] * weight).sum(1) if products[0] else None
        dw = (g[:, :, None] * x[:, None, :]).sum(0) if products[1] else None
        db = g.sum(0) if products[2] else None
        return dx, dw, db
