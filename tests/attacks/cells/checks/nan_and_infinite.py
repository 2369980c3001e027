"""Returns NaN and infinite gradients, in the hope that some comparison lets them pass."""

calls = []


def backward(ctx, grad_output):
    calls.append(1)
    return grad_output * float("nan" if len(calls) % 2 else "inf"), None


KillHead.backward = staticmethod(backward)
