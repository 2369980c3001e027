"""Has a decorator put another function in the place of the backward that one reads.

uses: tangents
like: patterns
"""

from functools import reduce


def exchanged(function):
    return by_tangents(lambda name: reduce(getattr, name.split("."), torch))


class KillHead(KillHead):
    @exchanged
    def backward(ctx, grad_output):
        gradient = grad_output.clone()
        gradient[:, : ctx.n] = 0
        return gradient, None
