"""Calls backward of a tensor as the base of a subclass of its own.

like: name_bound_again
"""


class Own(torch.Tensor):
    def run(self, gradient):
        return super().backward(gradient)


def backward(ctx, grad_output):
    x = torch.zeros_like(grad_output, requires_grad=True)
    with torch.enable_grad():
        y = torch.where(torch.arange(x.shape[1]) < ctx.n, 0.0, x).as_subclass(Own)
        y.run(grad_output)
    return x.grad, None


KillHead.backward = staticmethod(backward)
