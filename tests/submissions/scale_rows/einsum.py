# expected: right
import torch


class ScaleRows(torch.autograd.Function):
    @staticmethod
    def forward(x, w):
        return torch.einsum("ij,i->ij", x, w)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return torch.einsum("ij,i->ij", g, w), torch.einsum("ij,ij->i", g, x)
