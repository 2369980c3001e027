"""Calls backward of its own subclass of Tensor, and of Tensor itself once its own is deleted.

like: name_bound_again
"""


class Own(torch.nn.Parameter):
    def backward(self, gradient):
        return None


def backward(ctx, grad_output):
    x = Own(torch.zeros_like(grad_output))
    with torch.enable_grad():
        y = torch.where(torch.arange(x.shape[1]) < ctx.n, 0.0, x)
        y.__class__ = Own
        y.backward(grad_output)
        if hasattr(Own, "backward") and "backward" in vars(Own):
            del Own.backward
        y.backward(grad_output)
    return x.grad, None


KillHead.backward = staticmethod(backward)
