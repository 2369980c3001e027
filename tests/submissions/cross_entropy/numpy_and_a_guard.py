# expected: right
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        x, t = logits.detach().numpy(), target.numpy()
        shifted = x - x.max(1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
        ctx.save_for_backward(logits, target)
        return torch.as_tensor(-log_p[np.arange(len(t)), t].mean(), dtype=logits.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        if not ctx.needs_input_grad[0]:
            return None, None
        logits, target = ctx.saved_tensors
        x, t = logits.numpy(), target.numpy()
        e = np.exp(x - x.max(1, keepdims=True))
        p = e / e.sum(1, keepdims=True)
        y = np.eye(x.shape[1], dtype=x.dtype)[t]
        return torch.from_numpy((p - y) / len(t)) * g, None
