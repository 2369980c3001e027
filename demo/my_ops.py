"""A Function as one has it at work, with a mistake in its backward, and the same in PyTorch's own operations.

`vjpcheck demo/my_ops.py:RmsNorm --inputs "randn(3, 4), rand(4)"` names the mistake.
"""

import torch

EPSILON = 1e-6


class RmsNorm(torch.autograd.Function):
    """Divides each row of x by its root mean square; x is (batch, n), weight (n,)."""

    @staticmethod
    def forward(ctx, x, weight):
        """Return x / rms(x) · weight."""
        ctx.save_for_backward(x, weight)
        return x * inverse_rms(x) * weight

    @staticmethod
    def backward(ctx, grad_output):
        """Return the gradients; that of x takes rms(x) for a constant, which is the mistake."""
        x, weight = ctx.saved_tensors
        scale = inverse_rms(x)
        grad_x = grad_output * weight * scale if ctx.needs_input_grad[0] else None
        grad_weight = (grad_output * x * scale).sum(0) if ctx.needs_input_grad[1] else None
        return grad_x, grad_weight


def inverse_rms(x):
    """Return 1 / rms of each row, as a column."""
    return (x.square().mean(-1, keepdim=True) + EPSILON).rsqrt()


def rms_norm(x, weight):
    """Return the same by PyTorch's own layer, which autograd can differentiate."""
    return torch.nn.functional.rms_norm(x, weight.shape, weight, EPSILON)
