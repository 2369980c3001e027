# expected: right
import torch


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        s = (q @ k.mT).div(q.shape[-1] ** 0.5)
        p = s.sub(s.amax(-1, keepdim=True)).exp()
        p = p / p.sum(-1, keepdim=True)
        ctx.save_for_backward(q, k, v)
        return p @ v

    @staticmethod
    def vjp(ctx, g):
        q, k, v = ctx.saved_tensors
        d = q.shape[-1]
        p = (q @ k.mT).div(d**0.5).softmax(-1)
        jacobian = torch.diag_embed(p) - p[..., :, None] * p[..., None, :]
        ds = ((g @ v.mT)[..., None, :] @ jacobian).squeeze(-2) / d**0.5
        return ds @ k, ds.mT @ q, p.mT @ g, None
