"""Raises an error with a message of 15 million characters, control characters and lone surrogates among them."""


def backward(ctx, grad_output):
    raise ValueError("\ud800\x00\x1b" * 5_000_000)


KillHead.backward = staticmethod(backward)
