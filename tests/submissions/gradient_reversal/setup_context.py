# expected: right
import torch


class GradientReversal(torch.autograd.Function):
    @staticmethod
    def forward(x, strength):
        return x * 1

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.strength = inputs

    @staticmethod
    def backward(ctx, grad_output):
        if not ctx.needs_input_grad[0]:
            return None, None
        return grad_output * -ctx.strength, None
