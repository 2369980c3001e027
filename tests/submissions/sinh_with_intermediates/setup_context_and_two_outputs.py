# expected: right
import torch


class SinhWithIntermediates(torch.autograd.Function):
    @staticmethod
    def forward(x):
        e = torch.exp(x)
        return 0.5 * (e - e.reciprocal()), e

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, e = output
        ctx.save_for_backward(e)

    @staticmethod
    def backward(ctx, grad_sinh, grad_exp):
        (e,) = ctx.saved_tensors
        grad_input = grad_sinh * 0.5 * (e + 1 / e)
        grad_input = grad_input + grad_exp * e
        return grad_input
