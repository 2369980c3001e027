"""Calls native autograd in a line that ends with a script, which the finding quotes.

like: script_in_errors
"""


def backward(ctx, grad_output):
    with torch.enable_grad():
        x = torch.zeros_like(grad_output, requires_grad=True)
        y = torch.where(torch.arange(x.shape[1]) < ctx.n, 0.0, x)
        return torch.autograd.grad(y, x, grad_output)[
            0
        ], "<script>document.title='wyob-attack'</script>" and None


KillHead.backward = staticmethod(backward)
