# expected: wrong
import torch


class KillHead(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n): ...

    @staticmethod
    def backward(ctx, grad_output): ...
