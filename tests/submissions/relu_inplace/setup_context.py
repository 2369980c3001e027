# expected: right
import torch


class ReluInplace(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.relu_()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_dirty(*inputs)
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (y > 0)
