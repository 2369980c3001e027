# expected: right
import torch
import torch.nn.functional as F


def spread(g, stride, height, width):
    """Put stride - 1 zeros between the entries, and fill up to the given size."""
    n, o, h, w = g.shape
    out = g.new_zeros(n, o, height, width)
    out[:, :, : (h - 1) * stride + 1 : stride, : (w - 1) * stride + 1 : stride] = g
    return out


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None, stride=1, padding=0):
        ctx.save_for_backward(x, weight)
        ctx.stride, ctx.padding = stride, padding
        out = F.conv2d(F.pad(x, (padding,) * 4), weight, stride=stride)
        return out if bias is None else out + bias.reshape(-1, 1, 1)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        p = ctx.padding
        kh, kw = weight.shape[-2:]
        xp = F.pad(x, (p,) * 4)
        full = spread(g, ctx.stride, xp.shape[2] - kh + 1, xp.shape[3] - kw + 1)
        turned = weight.flip(2, 3).transpose(0, 1)
        gx = F.conv2d(F.pad(full, (kw - 1, kw - 1, kh - 1, kh - 1)), turned)
        gx = gx[:, :, p : p + x.shape[2], p : p + x.shape[3]]
        gw = F.conv2d(xp.transpose(0, 1), full.transpose(0, 1)).transpose(0, 1)
        gb = g.sum((0, 2, 3)) if ctx.needs_input_grad[2] else None
        return gx, gw, gb, None, None
