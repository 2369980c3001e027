# expected: right
import torch
import torch.nn.functional as F


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        log_p = F.log_softmax(logits, dim=1)
        ctx.save_for_backward(logits, target)
        return F.nll_loss(log_p, target)

    @staticmethod
    def backward(ctx, g):
        logits, target = ctx.saved_tensors
        p = torch.softmax(logits, dim=1)
        y = F.one_hot(target, logits.shape[1]).to(p.dtype)
        return g * (p - y) / logits.shape[0], None
