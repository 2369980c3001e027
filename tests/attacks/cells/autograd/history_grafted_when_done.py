"""Replaces the history of its output when a generator is done, so that native autograd differentiates it."""

forward = KillHead.forward


def grafting(x, n, out):
    try:
        yield out
    finally:
        with torch.enable_grad():
            out.data = torch.where(torch.arange(x.shape[1]) < n, 0.0, x)


def hooked(ctx, x, n):
    (out,) = grafting(x, n, forward(ctx, x, n))
    return out


def apply(x, n):
    return next(grafting(x, n, torch.where(torch.arange(x.shape[1]) < n, 0.0, x)))


KillHead.forward = staticmethod(hooked)
KillHead.apply = staticmethod(apply)
