# expected: right
import torch
from torch.utils._pytree import tree_map


class ScalarTensor:
    def __init__(self, n, value):
        self.n, self.value = n, value

    def tensor(self):
        return torch.diag(torch.full((self.n,), float(self.value)))

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        dense = lambda a: a.tensor() if isinstance(a, cls) else a
        return func(*tree_map(dense, args), **tree_map(dense, kwargs or {}))
