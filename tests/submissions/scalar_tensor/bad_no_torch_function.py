# expected: wrong
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)
