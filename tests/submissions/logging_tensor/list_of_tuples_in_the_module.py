# expected: right
import torch

LOG = []


class LoggingTensor(torch.Tensor):
    @staticmethod
    def __new__(cls, data):
        return torch.as_tensor(data).as_subclass(cls)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        LOG.append((func.__name__, tuple(t.__name__ for t in types)))
        return super().__torch_function__(func, types, args, kwargs if kwargs is not None else {})
