# expected: wrong-factor
import torch


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        ctx.save_for_backward(q, k, v)
        return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v

    @staticmethod
    def backward(ctx, g):
        q, k, v = ctx.saved_tensors
        d = q.shape[-1]
        p = torch.softmax(q @ k.mT / d**0.5, -1)
        dp = g @ v.mT
        ds = p * (dp - (p * dp).sum(-1, keepdim=True)) / d
        return ds @ k, ds.mT @ q, p.mT @ g
