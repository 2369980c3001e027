# expected: right
import torch


class ScaleRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x if ctx.needs_input_grad[1] else None, w)
        return (x.T * w).T

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        need_x, need_w = ctx.needs_input_grad
        gx = gw = None
        if need_x:
            gx = ScaleRows.apply(g, w)
        if need_w:
            gw = torch.linalg.vecdot(g, x, dim=1)
        return gx, gw
