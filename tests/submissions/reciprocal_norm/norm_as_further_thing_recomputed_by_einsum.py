# expected: right
import torch


class ReciprocalNorm(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.einsum("...i,...i->...", x, x) ** -0.5

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        cubed = torch.einsum("...i,...i->...", x, x) ** -1.5
        return -torch.einsum("...,...,...i->...i", g, cubed, x)
