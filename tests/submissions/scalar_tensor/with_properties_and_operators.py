# expected: right
import torch


class ScalarTensor(object):
    def __init__(self, n: int, value: float) -> None:
        self._n = int(n)
        self._value = float(value)

    @property
    def shape(self):
        return torch.Size([self._n, self._n])

    def __add__(self, other):
        return torch.add(self, other)

    def tensor(self) -> torch.Tensor:
        out = torch.zeros(self._n, self._n)
        out.fill_diagonal_(self._value)
        return out

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        handler = cls._handlers().get(func)
        if handler is not None:
            return handler(*args, **kwargs)
        return func(*[cls._dense(a) for a in args], **{k: cls._dense(v) for k, v in kwargs.items()})

    @staticmethod
    def _dense(value):
        return value.tensor() if isinstance(value, ScalarTensor) else value

    @classmethod
    def _handlers(cls):
        return {torch.mean: cls._mean, torch.add: cls._add}

    @staticmethod
    def _mean(input, *, dtype=None):
        return torch.tensor(input._value / input._n, dtype=dtype)

    @classmethod
    def _add(cls, input, other, *, alpha=1):
        if isinstance(input, cls) and isinstance(other, cls):
            return cls(input._n, input._value + alpha * other._value)
        return torch.add(cls._dense(input), cls._dense(other), alpha=alpha)
