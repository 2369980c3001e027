# expected: right
import torch
from torch.autograd.function import once_differentiable


class AbsProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        out = torch.empty_like(u)
        for i in range(u.numel()):
            p = u.reshape(-1)[i] * v.reshape(-1)[i]
            out.view(-1)[i] = p if p >= 0 else -p
        return out

    @once_differentiable
    def backward(ctx, g):
        u, v = ctx.saved_tensors
        du, dv = torch.zeros_like(u), torch.zeros_like(v)
        for i, (a, b, c) in enumerate(zip(u.flatten().tolist(), v.flatten().tolist(), g.flatten().tolist())):
            s = 1 if a * b > 0 else -1
            du.view(-1)[i], dv.view(-1)[i] = s * c * b, s * c * a
        return du, dv
