# expected: gradient-nonlinear
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
        p = torch.softmax(logits, 1)
        return (g * p - F.one_hot(target, p.shape[1])) / len(target), None
