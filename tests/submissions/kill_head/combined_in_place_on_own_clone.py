# expected: right
import torch
from torch.autograd import Function


class KillHead(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        result = x.clone()
        result[:, :n] = 0
        return result

    @staticmethod
    def backward(ctx, grad_output):
        grad_x = grad_output.clone()
        grad_x[:, : ctx.n] = 0
        return grad_x, None
