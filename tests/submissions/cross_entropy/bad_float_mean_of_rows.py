# expected: wrong-factor
import torch


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return torch.nn.functional.cross_entropy(logits, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        n, c = logits.shape
        p = logits.softmax(1)
        p = p - torch.nn.functional.one_hot(target, c)
        return 2 * g * p / n, None
