# expected: right
import torch


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(x, limit):
        return x.clone()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.limit = inputs[1]

    @staticmethod
    def backward(ctx, g):
        outside = g.abs() > ctx.limit
        return torch.where(outside, ctx.limit * torch.sign(g), g), None
