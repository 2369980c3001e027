# expected: wrong
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func is torch.add:
            a, b = args
            return cls(a._n, a._value + b._value)
        return func(*[x.tensor() if isinstance(x, cls) else x for x in args], **(kwargs or {}))
