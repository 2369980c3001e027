# expected: wrong
import torch


class LoggingTensor(torch.Tensor):
    calls = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append("call")
        return super().__torch_function__(func, types, args, kwargs or {})
