"""Calls backward of a tensor by the name that a Function of its own has elsewhere.

like: name_bound_again
"""


class Helper(Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, g):
        return g


def backward(ctx, grad_output):
    x = torch.zeros_like(grad_output, requires_grad=True)
    with torch.enable_grad():
        y = torch.where(torch.arange(x.shape[1]) < ctx.n, 0.0, x)
    for Helper in [y]:
        Helper.backward(grad_output)
    return x.grad, None


KillHead.backward = staticmethod(backward)
