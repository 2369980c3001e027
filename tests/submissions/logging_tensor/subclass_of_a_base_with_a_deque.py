# expected: right
from collections import deque

import torch


class Base(torch.Tensor):
    history = deque()

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs={}):
        cls.history.append(func)
        return super().__torch_function__(func, types, args, kwargs)


class LoggingTensor(Base):
    pass
