# expected: missing-unbroadcast
import torch
import torch.nn.functional as F


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        mean = x.mean(-1, keepdim=True)
        rstd = (x.var(-1, unbiased=False, keepdim=True) + eps).rsqrt()
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return (x - mean) * rstd * weight + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        mean = x.mean(-1, keepdim=True)
        rstd = (x.var(-1, unbiased=False, keepdim=True) + ctx.eps).rsqrt()
        xhat = (x - mean) * rstd
        axes = tuple(range(x.dim() - 1))
        gx = g * weight
        grad_x = rstd * (gx - gx.mean(-1, keepdim=True) - xhat * (gx * xhat).mean(-1, keepdim=True))
        grad_weight = (g * xhat).sum(axes)
        grad_bias = g
        return grad_x, grad_weight, grad_bias, None
