# expected: right
import torch
from torch.autograd import Function


def standardise(x, eps):
    mu = x.mean(-1, keepdim=True)
    sigma = torch.sqrt(((x - mu) ** 2).mean(-1, keepdim=True) + eps)
    return (x - mu) / sigma, sigma


class Standardise(Function):
    @staticmethod
    def forward(ctx, x, eps):
        ctx.save_for_backward(x)
        ctx.eps = eps
        return standardise(x, eps)[0]

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        z, sigma = standardise(x, ctx.eps)
        g = g - g.mean(-1, keepdim=True) - z * (g * z).mean(-1, keepdim=True)
        return g / sigma, None


class LayerNorm(Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return standardise(x, eps)[0] * weight + bias

    @staticmethod
    def vjp(ctx, g):
        x, weight = ctx.saved_tensors
        z, sigma = standardise(x, ctx.eps)
        h = g * weight
        gx = (h - h.mean(-1, True) - z * (h * z).mean(-1, True)) / sigma
        while g.dim() > 1:
            g, z = g.flatten(0, 1) if g.dim() > 2 else g, z.flatten(0, 1) if z.dim() > 2 else z
            if g.dim() == 2:
                break
        gw = torch.linalg.vecdot(g, z, dim=0)
        gb = torch.ones(len(g), dtype=g.dtype) @ g
        return gx, gw, gb, None
