# expected: right
import torch


class KillHead(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x, n):
        return torch.cat([torch.zeros_like(x[:, :n]), x[:, n:]], dim=1)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, n = inputs
        keep = torch.ones_like(x)
        keep[:, :n] = 0
        ctx.save_for_backward(keep)

    @staticmethod
    def backward(ctx, g):
        (keep,) = ctx.saved_tensors
        return g * keep, None
