# expected: saves-too-much
import math

import torch


from torch.autograd.function import once_differentiable


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        ctx.scores = (q @ k.mT / math.sqrt(q.shape[-1])).detach()
        ctx.save_for_backward(q, k, v)
        return ctx.scores.softmax(-1) @ v

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        q, k, v = ctx.saved_tensors
        scale = 1 / math.sqrt(q.shape[-1])
        p = ctx.scores.softmax(-1)
        dv = p.transpose(-2, -1) @ g
        dp = g @ v.transpose(-2, -1)
        ds = p * (dp - (dp * p).sum(-1, keepdim=True))
        dq = ds @ k * scale
        dk = ds.transpose(-2, -1) @ q * scale
        return dq, dk, dv
