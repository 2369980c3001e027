# expected: wrong
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self.n, self.value = n, value

    def tensor(self):
        return self.value * torch.eye(self.n)

    @classmethod
    def __torch_function__(cls, func, types, args):
        return func(*[a.tensor() for a in args])
