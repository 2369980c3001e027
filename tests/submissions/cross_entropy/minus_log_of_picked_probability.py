# expected: right
import torch


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        n, c = logits.shape
        mask = torch.zeros(n, c, dtype=torch.bool)
        for row, label in enumerate(target.tolist()):
            mask[row, label] = True
        ctx.mask = mask
        ctx.save_for_backward(logits)
        return -torch.log(torch.softmax(logits, -1)[mask]).mean()

    @staticmethod
    def backward(ctx, g):
        (logits,) = ctx.saved_tensors
        p = torch.softmax(logits, -1)
        n = p.shape[0]
        return torch.where(ctx.mask, p - 1, p) * (g / n), None
