# expected: right
import torch
from torch.autograd.function import once_differentiable


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight, bias)
        out = x.new_zeros(x.shape[0], weight.shape[0])
        for i, row in enumerate(x):
            for j, w in enumerate(weight):
                out[i, j] = row.dot(w) + (0 if bias is None else bias[j])
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, weight, bias = ctx.saved_tensors
        gx = gw = gb = None
        if ctx.needs_input_grad[0]:
            gx = torch.zeros_like(x)
            for i in range(x.shape[0]):
                for j in range(weight.shape[0]):
                    gx[i] += g[i, j] * weight[j]
        if ctx.needs_input_grad[1]:
            gw = torch.zeros_like(weight)
            for i in range(x.shape[0]):
                gw.addr_(g[i], x[i])
        if bias is not None and ctx.needs_input_grad[2]:
            gb = sum(g)
        return gx, gw, gb
