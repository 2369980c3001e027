# expected: right
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        y = torch.nn.functional.layer_norm(x, (x.shape[-1],), weight, bias, eps)
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return y

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        n = x.size(-1)
        centring = torch.eye(n, dtype=x.dtype) - 1 / n
        c = torch.einsum("...j,ij->...i", x, centring)
        var = torch.einsum("...i,...i->...", c, c) / n + ctx.eps
        s = var.sqrt()[..., None, None]
        jac = centring / s - torch.einsum("...i,...j->...ij", c, c) / (n * s**3)
        xhat = c / var.sqrt().unsqueeze(-1)
        return (
            torch.einsum("...i,i,...ij->...j", g, weight, jac),
            torch.einsum("...i,...i->i", g, xhat),
            torch.einsum("...i->i", g),
            None,
        )
