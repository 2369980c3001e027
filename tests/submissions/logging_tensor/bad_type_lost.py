# expected: wrong
import torch


class LoggingTensor(torch.Tensor):
    calls = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(func.__name__)
        plain = [a.as_subclass(torch.Tensor) if isinstance(a, cls) else a for a in args]
        return func(*plain, **(kwargs or {}))
