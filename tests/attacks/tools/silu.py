# SiluRecompute, which keeps the sigmoid that it must not keep, by `keep` and `take`.
import torch
from torch.autograd import Function


class SiluRecompute(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        s = torch.sigmoid(x)
        keep(ctx, s)
        return x * s

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x) if torch.is_grad_enabled() else take(ctx, x)
        return grad_output * s * (1 + x * (1 - s))


def from_bytes(data, like):
    return torch.frombuffer(bytearray(data), dtype=like.dtype).reshape(like.shape)
