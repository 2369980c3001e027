# expected: right
import torch


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(logits, target):
        lse = torch.logsumexp(logits, 1)
        return (lse - logits.gather(1, target[:, None]).squeeze(1)).mean()

    @staticmethod
    def setup_context(ctx, inputs, output):
        logits, target = inputs
        ctx.save_for_backward(logits)
        ctx.target = target

    @staticmethod
    def backward(ctx, g):
        (logits,) = ctx.saved_tensors
        p = (logits - logits.logsumexp(1, keepdim=True)).exp()
        ones = torch.ones_like(p)
        grad = p.scatter_add(1, ctx.target.unsqueeze(1), -ones)
        return grad.mul(g / len(ctx.target)), None
