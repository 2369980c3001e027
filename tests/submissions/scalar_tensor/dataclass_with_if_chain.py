# expected: right
from dataclasses import dataclass

import torch


@dataclass
class ScalarTensor:
    n: int
    value: float

    def tensor(self):
        return torch.eye(self.n) * self.value

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func is torch.mean:
            (s,) = args
            return torch.tensor(s.value / s.n)
        if func is torch.add and all(isinstance(a, ScalarTensor) for a in args):
            return cls(args[0].n, args[0].value + args[1].value)
        if func is torch.add:
            scalar, tensor = args if isinstance(args[0], cls) else args[::-1]
            result = tensor.clone()
            result.diagonal().add_(scalar.value)
            return result
        return func(*(a.tensor() if isinstance(a, cls) else a for a in args), **kwargs)
