"""Never returns from backward."""


def backward(ctx, grad_output):
    while True:
        grad_output = grad_output + 0


KillHead.backward = staticmethod(backward)
