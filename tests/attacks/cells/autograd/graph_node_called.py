"""Calls the node of a native operation by hand in forward, and keeps the diagonal that it gives."""


def forward(ctx, x, n):
    with torch.enable_grad():
        leaf = x.detach().requires_grad_()
        y = torch.where(torch.arange(x.shape[1]) < n, 0.0, leaf)
    node = y.grad_fn
    ctx.diagonal = next(g for g in node(torch.ones_like(x)) if g is not None)
    return y.detach()


def backward(ctx, grad_output):
    return grad_output * ctx.diagonal, None


KillHead.forward, KillHead.backward = staticmethod(forward), staticmethod(backward)
