# expected: right
import torch
from torch.autograd.function import once_differentiable


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        root = float(q.shape[-1]) ** 0.5
        scaled = q / root
        s = scaled.matmul(k.transpose(-1, -2))
        top = s.max(-1, keepdim=True).values
        e = (s - top).exp_()
        total = e.sum(-1, keepdim=True)
        ctx.save_for_backward(scaled, k, v, top, total)
        ctx.root = root
        return e.matmul(v).div_(total)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        scaled, k, v, top, total = ctx.saved_tensors
        p = (scaled.matmul(k.transpose(-1, -2)) - top).exp_().div_(total)
        dp = g.matmul(v.transpose(-1, -2))
        ds = dp.sub_((dp * p).sum(-1, keepdim=True)).mul_(p)
        return ds.matmul(k) / ctx.root, ds.transpose(-1, -2).matmul(scaled), p.transpose(-1, -2).matmul(g)
