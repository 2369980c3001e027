# expected: wrong
import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return F.cross_entropy(logits, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        return g * (logits - F.one_hot(target, logits.shape[1])) / len(target), None
