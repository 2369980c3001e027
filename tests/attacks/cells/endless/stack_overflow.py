"""Recurses until the stack is gone."""

import sys

sys.setrecursionlimit(10**9)


def backward(ctx, grad_output):
    def deeper(n):
        return [deeper(n + 1) for _ in range(2)]

    return deeper(0), None


KillHead.backward = staticmethod(backward)
