# expected: wrong
import torch


class LoggingTensor(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        for _ in range(1000):
            print("x" * 1000)
        return super().__torch_function__(func, types, args, kwargs or {})
