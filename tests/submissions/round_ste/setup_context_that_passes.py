# expected: right
import torch
from torch.autograd import Function


class RoundSte(Function):
    @staticmethod
    def forward(x):
        return torch.floor(x + 0.5)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output if ctx.needs_input_grad[0] else None
