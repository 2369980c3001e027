"""Keeps the sigmoid as an attribute of the input, which is saved.

exercise: silu_recompute
deserves: 2.5
uses: silu
"""


class SiluRecompute(Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        x.kept = s
        ctx.save_for_backward(x)
        return x * s

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x) if torch.is_grad_enabled() else x.kept
        return grad_output * s * (1 + x * (1 - s))
