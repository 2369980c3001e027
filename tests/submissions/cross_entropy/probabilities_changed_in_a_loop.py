# expected: right
import torch
from torch.autograd.function import once_differentiable


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        n = logits.shape[0]
        p = torch.exp(logits - logits.max(dim=1, keepdim=True).values)
        p = p / p.sum(dim=1, keepdim=True)
        loss = -p[torch.arange(n), target].log().sum() / n
        ctx.save_for_backward(p, target)
        return loss

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        p, target = ctx.saved_tensors
        n = p.shape[0]
        grad = p.clone()
        for i in range(n):
            grad[i, target[i]] -= 1.0
        return grad * g / n, None
