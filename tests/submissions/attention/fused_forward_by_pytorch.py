# expected: right
import torch
import torch.nn.functional as F


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        ctx.save_for_backward(q, k, v)
        return F.scaled_dot_product_attention(q, k, v)

    @staticmethod
    def backward(ctx, grad_out):
        q, k, v = ctx.saved_tensors
        root = q.shape[-1] ** 0.25
        qs, ks = q / root, k / root
        logits = qs.matmul(ks.mT)
        p = (logits - logits.logsumexp(-1, keepdim=True)).exp()
        o = p.matmul(v)
        delta = (grad_out * o).sum(-1, keepdim=True)
        ds = p * (grad_out.matmul(v.mT) - delta)
        return ds.matmul(ks) / root, ds.mT.matmul(qs) / root, p.mT.matmul(grad_out)
