# expected: right
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, torch.as_tensor(value, dtype=torch.float32)

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func is torch.mul and all(isinstance(a, cls) for a in args):
            return cls(args[0]._n, args[0]._value * args[1]._value)
        return func(*[a.tensor() if isinstance(a, cls) else a for a in args], **(kwargs or {}))
