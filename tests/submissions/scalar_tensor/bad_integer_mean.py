# expected: wrong
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self.n, self.value = n, value

    def tensor(self):
        return self.value * torch.eye(self.n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0].value // args[0].n
        return func(*[a.tensor() if isinstance(a, cls) else a for a in args])
