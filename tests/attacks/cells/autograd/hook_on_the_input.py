"""Registers a hook on the input in forward, which mends what backward has got wrong."""

forward = KillHead.forward


def hooked(ctx, x, n):
    if x.requires_grad and x.is_leaf:
        x.register_hook(lambda g: torch.where(torch.arange(g.shape[1]) < n, 0.0, g))
    return forward(ctx, x, n)


KillHead.forward = staticmethod(hooked)
