# expected: right
import torch
from torch.autograd.function import once_differentiable


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        var, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        rstd = 1 / torch.sqrt(var + eps)
        ctx.save_for_backward(x, weight, mean, rstd)
        return (x - mean) * rstd * weight + bias

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, weight, mean, rstd = ctx.saved_tensors
        n = x.shape[-1]
        rows, grads = x.reshape(-1, n), g.reshape(-1, n)
        mean, rstd = mean.reshape(-1), rstd.reshape(-1)
        grad_x, grad_w, grad_b = torch.zeros_like(rows), torch.zeros_like(weight), torch.zeros_like(weight)
        for r in range(rows.shape[0]):
            hat = (rows[r] - mean[r]) * rstd[r]
            wg = weight * grads[r]
            grad_x[r] = (wg - wg.mean() - hat * torch.dot(wg, hat) / n) * rstd[r]
            grad_w += grads[r] * hat
            grad_b += grads[r]
        return grad_x.reshape(x.shape), grad_w, grad_b, None
