# expected: right
import torch
from torch.nn.functional import log_softmax


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(logits, target):
        picked = torch.take_along_dim(log_softmax(logits, 1), target.view(-1, 1), 1)
        return picked.mean().neg()

    @staticmethod
    def setup_context(ctx, inputs, output):
        logits, target = inputs
        ctx.save_for_backward(log_softmax(logits.detach(), 1), torch.eye(logits.shape[1])[target])

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        logp, onehot = ctx.saved_tensors
        return g * (logp.exp() - onehot.to(logp)).div_(onehot.shape[0]), None
