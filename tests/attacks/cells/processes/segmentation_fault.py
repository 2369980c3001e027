"""Reads from address 0 in backward."""

import ctypes


def backward(ctx, grad_output):
    ctypes.string_at(0)


KillHead.backward = staticmethod(backward)
