# expected: missing-normaliser-term
import torch


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return (logits.logsumexp(1) - logits[torch.arange(len(target)), target]).mean()

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        grad = torch.zeros_like(logits)
        grad[torch.arange(len(target)), target] = -g / len(target)
        return grad, None
