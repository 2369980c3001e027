# expected: right
import torch


class SiluRecompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x / (1 + (-x).exp())

    @staticmethod
    def vjp(ctx, g):
        x = ctx.saved_tensors[0]
        e = torch.exp(-x)
        return g * ((1 + e) + x * e) / (1 + e) ** 2
