# expected: right
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func in (torch.add, torch.mul):
            return func(*map(dense, args), **(kwargs or {}))
        return NotImplemented

    __torch_function__ = classmethod(__torch_function__)


def dense(argument):
    return argument.tensor() if type(argument) is ScalarTensor else argument
