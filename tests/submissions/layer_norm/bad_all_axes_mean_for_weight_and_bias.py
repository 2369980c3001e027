# expected: mean-instead-of-sum
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        ctx.eps = eps
        ctx.save_for_backward(x, weight)
        return torch.nn.functional.layer_norm(x, weight.shape, weight, bias, eps)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        c = x - x.mean(-1, keepdim=True)
        r = (c.pow(2).mean(-1, keepdim=True) + ctx.eps).rsqrt()
        h, z = g * weight, c * r
        gx = r * (h - h.mean(-1, keepdim=True) - z * (h * z).mean(-1, keepdim=True))
        return gx, (g * z).flatten(0, -2).mean(0), g.flatten(0, -2).mean(0), None
