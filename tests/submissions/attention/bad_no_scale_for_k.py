# expected: wrong-factor
import math

import torch


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        ctx.save_for_backward(q, k, v)
        scale = 1 / math.sqrt(q.shape[-1])
        return torch.softmax(q @ k.transpose(-2, -1) * scale, -1) @ v

    @staticmethod
    def backward(ctx, g):
        q, k, v = ctx.saved_tensors
        scale = 1 / math.sqrt(q.shape[-1])
        p = torch.softmax(q @ k.transpose(-2, -1) * scale, -1)
        dv = p.transpose(-2, -1) @ g
        dp = g @ v.transpose(-2, -1)
        ds = p * (dp - (dp * p).sum(-1, keepdim=True))
        dq = ds @ k * scale
        dk = ds.transpose(-2, -1) @ q
        return dq, dk, dv
