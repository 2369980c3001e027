"""Has a module's hook see the gradient that a backward pass of its own leaves there."""

SEEN = []


class Head(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n

    def forward(self, x):
        return torch.where(torch.arange(x.shape[1]) < self.n, 0.0, x)


forward = KillHead.forward


def hooked(ctx, x, n):
    head = Head(n)
    head.register_full_backward_hook(lambda module, grads, _: SEEN.append(grads[0]))
    with torch.enable_grad():
        ctx.y = head(x.detach().requires_grad_())
    return forward(ctx, x, n)


def backward(ctx, grad_output):
    ctx.y.backward(grad_output)
    return SEEN.pop(), None


KillHead.forward = staticmethod(hooked)
KillHead.backward = staticmethod(backward)
