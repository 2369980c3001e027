# expected: missing-gradient
import torch


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return (logits.logsumexp(1) - logits[torch.arange(len(target)), target]).mean()

    @staticmethod
    def backward(ctx, g):
        return None, None
