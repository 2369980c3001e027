# expected: right
import torch


def normalise(x, eps):
    c = x - x.mean(-1, keepdim=True)
    return c * torch.rsqrt(torch.mean(c**2, -1, keepdim=True) + eps)


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        ctx.eps = eps
        ctx.save_for_backward(x, weight)
        return torch.add(bias, normalise(x, eps) * weight)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        n = x.shape[-1]
        flat_x, flat_g = x.reshape(-1, n), g.reshape(-1, n)
        out = []
        for row, cot in zip(flat_x, flat_g):
            c = row - row.sum() / n
            s2 = c @ c / n + ctx.eps
            projection = torch.eye(n, dtype=x.dtype) - torch.ones(n, n, dtype=x.dtype) / n
            jacobian = projection / s2.sqrt() - torch.outer(c, c) / (n * s2 * s2.sqrt())
            out.append(jacobian @ (weight * cot))
        grads = torch.stack(out).reshape(x.shape)
        return grads, (flat_g * normalise(flat_x, ctx.eps)).sum(0), flat_g.sum(0), None
