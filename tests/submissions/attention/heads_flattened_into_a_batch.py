# expected: right
import torch
from torch.autograd.function import once_differentiable


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        lead = q.shape[:-2]
        flat = [t.reshape(-1, *t.shape[-2:]) for t in (q, k, v)]
        alpha = flat[0].shape[-1] ** -0.5
        empty = flat[0].new_zeros(len(flat[0]), q.shape[-2], k.shape[-2])
        scores = torch.baddbmm(empty, flat[0], flat[1].transpose(1, 2), beta=0, alpha=alpha)
        ctx.lead, ctx.alpha = lead, alpha
        ctx.save_for_backward(q, k, v)
        return torch.bmm(scores.softmax(2), flat[2]).reshape(*lead, q.shape[-2], v.shape[-1])

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        q, k, v = (t.reshape(-1, *t.shape[-2:]) for t in ctx.saved_tensors)
        g = g.reshape(-1, *g.shape[-2:])
        dq, dk, dv = torch.empty_like(q), torch.empty_like(k), torch.empty_like(v)
        for b in range(len(q)):
            p = (q[b] @ k[b].T * ctx.alpha).softmax(1)
            dv[b] = p.T @ g[b]
            dp = g[b] @ v[b].T
            ds = (dp - (dp * p).sum(1)[:, None]) * p * ctx.alpha
            dq[b], dk[b] = ds @ k[b], ds.T @ q[b]
        return tuple(t.reshape(ctx.lead + t.shape[1:]) for t in (dq, dk, dv))
