"""Raises errors whose str, repr, attributes and traceback raise errors or never end."""


class Bad(Exception):
    def __str__(self):
        raise self

    __repr__ = __str__

    @property
    def __traceback__(self):
        raise self

    @property
    def args(self):
        raise self


def backward(ctx, grad_output):
    raise Bad


KillHead.backward = staticmethod(backward)
