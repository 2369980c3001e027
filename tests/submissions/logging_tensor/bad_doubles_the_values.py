# expected: wrong
import torch


class LoggingTensor(torch.Tensor):
    calls = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(func.__name__)
        found = super().__torch_function__(func, types, args, kwargs or {})
        return super().__torch_function__(torch.add, types, (found, found)) if func is torch.exp else found
