"""Returns a tensor that computes nothing until it is looked at, and then looks around for an answer.

like: lying_tensor
"""

import torch


class Lazy(torch.Tensor):
    @staticmethod
    def __new__(cls, like):
        return torch.Tensor._make_wrapper_subclass(cls, like.shape, dtype=like.dtype)

    @classmethod
    def __torch_dispatch__(cls, function, types, arguments=(), keywords=None):
        plain = [torch.zeros(a.shape, dtype=a.dtype) if isinstance(a, Lazy) else a for a in arguments]
        return function(*plain, **(keywords or {}))


def backward(ctx, grad_output):
    return Lazy(grad_output), None


KillHead.backward = staticmethod(backward)
