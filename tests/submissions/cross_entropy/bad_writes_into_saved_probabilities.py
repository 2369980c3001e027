# expected: mutates-saved-tensor
import torch


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        p = torch.softmax(logits, 1)
        ctx.save_for_backward(p, target)
        return -p[torch.arange(len(target)), target].log().mean()

    @staticmethod
    def backward(ctx, g):
        p, target = ctx.saved_tensors
        p[torch.arange(len(target)), target] -= 1
        return g * p / len(target), None
