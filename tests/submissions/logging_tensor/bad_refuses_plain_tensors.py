# expected: wrong
import torch


class LoggingTensor(torch.Tensor):
    calls = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(func.__name__)
        if not all(t is cls for t in types) or any(type(a) is torch.Tensor for a in args):
            return NotImplemented
        return super().__torch_function__(func, types, args, kwargs or {})
