# expected: right
import torch
from torch.autograd.function import once_differentiable


class Attention(torch.autograd.Function):
    """Keeps the logarithm of each row's sum, and goes over the rows of q one at a time."""

    @staticmethod
    def forward(ctx, q, k, v):
        scale = q.shape[-1] ** -0.5
        rows, sums = [], []
        for i in range(q.shape[-2]):
            s = torch.einsum("...d,...md->...m", q[..., i, :], k) * scale
            lse = torch.logsumexp(s, -1)
            rows.append(torch.einsum("...m,...me->...e", torch.exp(s - lse[..., None]), v))
            sums.append(lse)
        out = torch.stack(rows, -2)
        ctx.save_for_backward(q, k, v, out, torch.stack(sums, -1))
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        q, k, v, out, lse = ctx.saved_tensors
        scale = q.shape[-1] ** -0.5
        delta = (g * out).sum(-1)
        dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
        for i in range(q.shape[-2]):
            qi, gi = q[..., i, :], g[..., i, :]
            p = torch.exp(torch.einsum("...d,...md->...m", qi, k) * scale - lse[..., i, None])
            dv += p[..., None] * gi[..., None, :]
            ds = p * (torch.einsum("...e,...me->...m", gi, v) - delta[..., i, None])
            dq[..., i, :] = scale * torch.einsum("...m,...md->...d", ds, k)
            dk += scale * ds[..., None] * qi[..., None, :]
        return dq, dk, dv
