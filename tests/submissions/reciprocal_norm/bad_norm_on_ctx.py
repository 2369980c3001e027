# expected: intermediate-kept-on-ctx
import torch


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.n = x.norm(dim=-1, keepdim=True)
        return 1 / ctx.n.squeeze(-1)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return -g[..., None] * x / ctx.n**3
