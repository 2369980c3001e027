# expected: right
import torch


def log_softmax_pullback(log_p, g):
    return g - log_p.exp() * g.sum(1, keepdim=True)


def nll_pullback(shape, target, g):
    out = torch.zeros(shape, dtype=g.dtype)
    rows = torch.arange(shape[0])
    return out.index_put((rows, target), -g / shape[0] * torch.ones(shape[0], dtype=g.dtype))


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return torch.nn.functional.cross_entropy(logits, target)

    @staticmethod
    def vjp(ctx, g):
        logits, target = ctx.saved_tensors
        log_p = logits - torch.logsumexp(logits, 1, keepdim=True)
        return log_softmax_pullback(log_p, nll_pullback(logits.shape, target, g)), None, None
