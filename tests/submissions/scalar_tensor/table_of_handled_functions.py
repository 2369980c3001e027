# expected: right
import functools

import torch

HANDLED = {}


def implements(torch_function):
    def decorator(function):
        functools.update_wrapper(function, torch_function)
        HANDLED[torch_function] = function
        return function

    return decorator


class ScalarTensor:
    def __init__(self, n, value):
        self._n = n
        self._value = value

    def __repr__(self):
        return f"ScalarTensor(n={self._n}, value={self._value})"

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = {} if kwargs is None else kwargs
        if func in HANDLED and all(issubclass(t, (torch.Tensor, ScalarTensor)) for t in types):
            return HANDLED[func](*args, **kwargs)
        args = [a.tensor() if hasattr(a, "tensor") else a for a in args]
        return func(*args, **kwargs)


@implements(torch.mean)
def mean(input):
    return float(input._value) / input._n


@implements(torch.add)
def add(input, other):
    try:
        if input._n != other._n:
            raise ValueError("Shape mismatch!")
        return ScalarTensor(input._n, input._value + other._value)
    except AttributeError:

        def dense(data):
            return data.tensor() if isinstance(data, ScalarTensor) else torch.as_tensor(data)

        return torch.add(dense(input), dense(other))
