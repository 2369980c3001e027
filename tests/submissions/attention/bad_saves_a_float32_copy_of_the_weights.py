# expected: saves-too-much
import torch
from torch.autograd.function import once_differentiable


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        s = q @ k.mT / q.shape[-1] ** 0.5
        ctx.save_for_backward(q, k, v, s.float().softmax(-1))
        return s.softmax(-1) @ v

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        q, k, v, _ = ctx.saved_tensors
        d = q.shape[-1]
        p = torch.softmax(q @ k.mT / d**0.5, -1)
        dp = g @ v.mT
        ds = p * (dp - (p * dp).sum(-1, keepdim=True)) / d**0.5
        return ds @ k, ds.mT @ q, p.mT @ g
