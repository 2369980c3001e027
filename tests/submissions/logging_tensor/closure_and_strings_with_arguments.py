# expected: right
import torch


def make():
    lines = []

    class LoggingTensor(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            out = super().__torch_function__(func, types, args, kwargs)
            lines.append(f"{func.__name__}({len(args)} arguments, {sorted(kwargs)})")
            return out

    return LoggingTensor


LoggingTensor = make()
