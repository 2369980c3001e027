# expected: wrong
import torch
import torch.nn.functional as F
from torch.autograd.function import once_differentiable


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        xp = F.pad(x, [padding] * 4)
        kh, kw = weight.shape[-2:]
        oh = (xp.shape[2] - kh) // stride + 1
        ow = (xp.shape[3] - kw) // stride + 1
        y = x.new_zeros(x.shape[0], weight.shape[0], oh, ow)
        for i in range(oh):
            for j in range(ow):
                window = xp[:, :, i * stride : i * stride + kh, j * stride : j * stride + kw]
                y[:, :, i, j] = torch.einsum("nchw,ochw->no", window, weight)
        if bias is not None:
            y = y + bias.view(1, -1, 1, 1)
        ctx.save_for_backward(x, weight)
        ctx.args = stride, padding, bias is not None
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        stride, padding, with_bias = ctx.args
        xp = F.pad(x, [padding] * 4)
        kh, kw = weight.shape[-2:]
        gx, gw = torch.zeros_like(xp), torch.zeros_like(weight)
        for i in range(g.shape[2]):
            for j in range(g.shape[3]):
                rows, cols = slice(i * stride, i * stride + kh), slice(j * stride, j * stride + kw)
                gx[:, :, rows, cols] += torch.einsum("no,ochw->nchw", g[:, :, i, j], weight)
                gw += torch.einsum("no,nchw->ochw", g[:1, :, i, j], xp[:1, :, rows, cols])
        if padding:
            gx = gx[:, :, padding:-padding, padding:-padding]
        gb = g.sum((0, 2, 3)) if with_bias else None
        return gx, gw, gb, None, None
