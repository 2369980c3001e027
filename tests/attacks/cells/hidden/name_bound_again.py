"""Calls native autograd by an imported name that a parameter elsewhere has, too."""

from torch import autograd as A


def unused(A):
    return A


def backward(ctx, grad_output):
    x = torch.zeros_like(grad_output, requires_grad=True)
    with torch.enable_grad():
        y = torch.where(torch.arange(x.shape[1]) < ctx.n, 0.0, x)
        return A.grad(y, x, grad_output)[0], None


KillHead.backward = staticmethod(backward)
