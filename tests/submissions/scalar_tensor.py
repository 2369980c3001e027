# %% dataclass_with_if_chain expected: right
from dataclasses import dataclass

import torch


@dataclass
class ScalarTensor:
    n: int
    value: float

    def tensor(self):
        return torch.eye(self.n) * self.value

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func is torch.mean:
            (s,) = args
            return torch.tensor(s.value / s.n)
        if func is torch.add and all(isinstance(a, ScalarTensor) for a in args):
            return cls(args[0].n, args[0].value + args[1].value)
        if func is torch.add:
            scalar, tensor = args if isinstance(args[0], cls) else args[::-1]
            result = tensor.clone()
            result.diagonal().add_(scalar.value)
            return result
        return func(*(a.tensor() if isinstance(a, cls) else a for a in args), **kwargs)


# %% everything_dense_by_tree_map expected: right
import torch
from torch.utils._pytree import tree_map


class ScalarTensor:
    def __init__(self, n, value):
        self.n, self.value = n, value

    def tensor(self):
        return torch.diag(torch.full((self.n,), float(self.value)))

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        dense = lambda a: a.tensor() if isinstance(a, cls) else a
        return func(*tree_map(dense, args), **tree_map(dense, kwargs or {}))


# %% handles_only_what_is_asked expected: right
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func in (torch.add, torch.mul):
            return func(*map(dense, args), **(kwargs or {}))
        return NotImplemented

    __torch_function__ = classmethod(__torch_function__)


def dense(argument):
    return argument.tensor() if type(argument) is ScalarTensor else argument


# %% product_stays_a_scalar_tensor expected: right
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, torch.as_tensor(value, dtype=torch.float32)

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func is torch.mul and all(isinstance(a, cls) for a in args):
            return cls(args[0]._n, args[0]._value * args[1]._value)
        return func(*[a.tensor() if isinstance(a, cls) else a for a in args], **(kwargs or {}))


# %% table_of_handled_functions expected: right
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


# %% with_properties_and_operators expected: right
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


# %% bad_add_in_place expected: mutates-input
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func is torch.add:
            a, b = args
            if isinstance(a, cls) and isinstance(b, cls):
                return cls(a._n, a._value + b._value)
            s, t = (a, b) if isinstance(a, cls) else (b, a)
            t.diagonal().add_(s._value)
            return t
        return func(*[x.tensor() if isinstance(x, cls) else x for x in args], **(kwargs or {}))


# %% bad_add_needs_the_scalar_first expected: wrong
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func is torch.add:
            a, b = args
            return torch.add(a.tensor(), b.tensor() if isinstance(b, cls) else b)
        return func(*[x.tensor() if isinstance(x, cls) else x for x in args], **(kwargs or {}))


# %% bad_add_subtracts expected: forward-value
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func is torch.add:
            a, b = args
            return torch.sub(*[x.tensor() if isinstance(x, cls) else x for x in args])
        return func(*[x.tensor() if isinstance(x, cls) else x for x in args], **(kwargs or {}))


# %% bad_add_to_every_entry expected: forward-value
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func is torch.add:
            a, b = args
            a, b = (x._value if isinstance(x, cls) else x for x in args)
            return torch.add(torch.as_tensor(a), torch.as_tensor(b))
        return func(*[x.tensor() if isinstance(x, cls) else x for x in args], **(kwargs or {}))


# %% bad_add_two_loses_one expected: forward-value
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func is torch.add:
            a, b = args
            if isinstance(a, cls) and isinstance(b, cls):
                return cls(a._n, a._value)
            return torch.add(*[x.tensor() if isinstance(x, cls) else x for x in args])
        return func(*[x.tensor() if isinstance(x, cls) else x for x in args], **(kwargs or {}))


# %% bad_add_with_a_tensor_missing expected: wrong
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func is torch.add:
            a, b = args
            return cls(a._n, a._value + b._value)
        return func(*[x.tensor() if isinstance(x, cls) else x for x in args], **(kwargs or {}))


# %% bad_arguments_swapped expected: wrong
import torch


class ScalarTensor:
    def __init__(self, value, n):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func is torch.add:
            a, b = args
            return torch.add(*[x.tensor() if isinstance(x, cls) else x for x in args])
        return func(*[x.tensor() if isinstance(x, cls) else x for x in args], **(kwargs or {}))


# %% bad_dense_is_full expected: forward-value
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return torch.full((self._n, self._n), float(self._value))

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func is torch.add:
            a, b = args
            return torch.add(*[x.tensor() if isinstance(x, cls) else x for x in args])
        return func(*[x.tensor() if isinstance(x, cls) else x for x in args], **(kwargs or {}))


# %% bad_endless_fall_back expected: wrong
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func is torch.add:
            a, b = args
            return torch.add(*[x.tensor() if isinstance(x, cls) else x for x in args])
        return func(*args, **(kwargs or {}))


# %% bad_fall_back_by_value expected: forward-value
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func is torch.add:
            a, b = args
            return torch.add(*[x.tensor() if isinstance(x, cls) else x for x in args])
        return func(*[torch.as_tensor(x._value) if isinstance(x, cls) else torch.as_tensor(x) for x in args])


# %% bad_fall_back_on_the_first_only expected: wrong
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func is torch.add:
            a, b = args
            return torch.add(*[x.tensor() if isinstance(x, cls) else x for x in args])
        return func(args[0].tensor(), *args[1:], **(kwargs or {}))


# %% bad_fall_back_returns_its_argument expected: forward-value
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func is torch.add:
            a, b = args
            return torch.add(*[x.tensor() if isinstance(x, cls) else x for x in args])
        return args[0].tensor() if isinstance(args[0], cls) else args[0]


# %% bad_integer_mean expected: forward-value
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self.n, self.value = n, value

    def tensor(self):
        return self.value * torch.eye(self.n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0].value // args[0].n
        return func(*[a.tensor() if isinstance(a, cls) else a for a in args])


# %% bad_mean_is_a_scalar_tensor expected: wrong-shape
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return cls(args[0]._n, args[0]._value / args[0]._n)
        if func is torch.add:
            a, b = args
            return torch.add(*[x.tensor() if isinstance(x, cls) else x for x in args])
        return func(*[x.tensor() if isinstance(x, cls) else x for x in args], **(kwargs or {}))


# %% bad_mean_is_the_sum expected: forward-value
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value * args[0]._n
        if func is torch.add:
            a, b = args
            return torch.add(*[x.tensor() if isinstance(x, cls) else x for x in args])
        return func(*[x.tensor() if isinstance(x, cls) else x for x in args], **(kwargs or {}))


# %% bad_mean_is_the_value expected: forward-value
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return float(args[0]._value)
        if func is torch.add:
            a, b = args
            return torch.add(*[x.tensor() if isinstance(x, cls) else x for x in args])
        return func(*[x.tensor() if isinstance(x, cls) else x for x in args], **(kwargs or {}))


# %% bad_mean_of_rows expected: wrong-shape
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0].tensor().mean(0)
        if func is torch.add:
            a, b = args
            return torch.add(*[x.tensor() if isinstance(x, cls) else x for x in args])
        return func(*[x.tensor() if isinstance(x, cls) else x for x in args], **(kwargs or {}))


# %% bad_mean_over_all_entries expected: forward-value
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n ** 2
        if func is torch.add:
            a, b = args
            return torch.add(*[x.tensor() if isinstance(x, cls) else x for x in args])
        return func(*[x.tensor() if isinstance(x, cls) else x for x in args], **(kwargs or {}))


# %% bad_no_fall_back expected: wrong
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func is torch.add:
            a, b = args
            return torch.add(*[x.tensor() if isinstance(x, cls) else x for x in args])
        return NotImplemented


# %% bad_no_torch_function expected: wrong
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    def tensor(self):
        return self._value * torch.eye(self._n)


# %% bad_stub expected: wrong
class ScalarTensor:
    def __init__(self, n, value):
        raise NotImplementedError


# %% bad_tensor_is_a_property expected: wrong
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self._n, self._value = n, value

    @property
    def tensor(self):
        return self._value * torch.eye(self._n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0]._value / args[0]._n
        if func is torch.add:
            a, b = args
            return torch.add(*[x.tensor if isinstance(x, cls) else x for x in args])
        return func(*[x.tensor if isinstance(x, cls) else x for x in args], **(kwargs or {}))


# %% bad_torch_function_without_kwargs expected: wrong
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self.n, self.value = n, value

    def tensor(self):
        return self.value * torch.eye(self.n)

    @classmethod
    def __torch_function__(cls, func, types, args):
        return func(*[a.tensor() for a in args])


# %% bad_function expected: cannot run
import torch


def ScalarTensor(n, value):
    return value * torch.eye(n)


# %% bad_value_grows_with_each_sum expected: mutates-input
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self.n, self.value = n, value

    def tensor(self):
        return self.value * torch.eye(self.n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0].value / args[0].n
        if func is torch.add and all(isinstance(a, cls) for a in args):
            args[0].value += args[1].value
            return args[0]
        return func(*[a.tensor() if isinstance(a, cls) else a for a in args], **(kwargs or {}))


# %% bad_divides_by_the_value expected: forward-value
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self.n, self.value = n, value

    def tensor(self):
        return self.value * torch.eye(self.n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0].value / args[0].n
        dense = [a.tensor() if isinstance(a, cls) else a for a in args]
        if func is torch.mul and isinstance(args[0], cls):
            return dense[0] * (dense[1] * args[0].value / args[0].value)
        return func(*dense, **(kwargs or {}))


# %% registry expected: right
# A table of implementations filled by a decorator; sums and products of ScalarTensors stay ScalarTensors.
import torch

TABLE = {}


def implements(function):
    def register(body):
        TABLE[function] = body
        return body

    return register


class ScalarTensor:
    def __init__(self, n, value):
        self.n = n
        self.value = value

    def tensor(self):
        return torch.diag_embed(torch.ones(self.n) * self.value)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func not in TABLE:
            return NotImplemented
        return TABLE[func](*args, **(kwargs or {}))


@implements(torch.mean)
def _mean(s):
    return torch.tensor(float(s.value)) / s.n


@implements(torch.add)
def _add(a, b):
    if isinstance(a, ScalarTensor) and isinstance(b, ScalarTensor):
        return ScalarTensor(a.n, a.value + b.value)
    if isinstance(b, ScalarTensor):
        a, b = b, a
    total = b.clone()
    total.diagonal().add_(a.value)
    return total


@implements(torch.mul)
def _mul(a, b):
    if isinstance(b, ScalarTensor):
        a, b = b, a
    if isinstance(b, ScalarTensor):
        return ScalarTensor(a.n, a.value * b.value)
    if isinstance(b, torch.Tensor):
        return torch.diag(b.diagonal() * a.value) if b.dim() == 2 else a.tensor() * b
    return ScalarTensor(a.n, a.value * b)


# %% bad_product_of_matrices expected: forward-value
# torch.mul is elementwise; this is the matrix product v T.
import torch
from torch import Tensor


class ScalarTensor:
    def __init__(self, n, value):
        self.n, self.value = n, value

    def tensor(self):
        return self.value * torch.eye(self.n)

    @classmethod
    def _mean(cls, s):
        return torch.tensor(s.value / s.n)

    @classmethod
    def _add(cls, a, b):
        a, b = (t.tensor() if isinstance(t, cls) else t for t in (a, b))
        return torch.add(a, b)

    @classmethod
    def _mul(cls, a, b):
        if not isinstance(a, cls):
            a, b = b, a
        if isinstance(b, cls):
            return cls(a.n, a.value * b.value)
        if isinstance(b, Tensor):
            return a.value * b
        return cls(a.n, a.value * b)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        rule = {torch.mean: cls._mean, torch.add: cls._add, torch.mul: cls._mul}[func]
        return rule(*args, **(kwargs or {}))


# %% bad_diagonal_filled expected: forward-value
# fill_diagonal_ replaces the diagonal of the Tensor instead of adding to it.
from typing import Any

import torch
from torch import Tensor


class ScalarTensor:
    def __init__(self, n: int, value: float) -> None:
        self.n = n
        self.value = value

    def tensor(self) -> Tensor:
        return torch.zeros(self.n, self.n).fill_diagonal_(self.value)

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None) -> Any:
        if func == torch.mean:
            (matrix,) = args
            return matrix.value / matrix.n
        if func == torch.add:
            left, right = args
            if isinstance(left, cls) and isinstance(right, cls):
                return cls(left.n, left.value + right.value)
            scalar, dense = (left, right) if isinstance(left, cls) else (right, left)
            return dense.clone().fill_diagonal_(scalar.value)
        return func(*(a.tensor() if isinstance(a, cls) else a for a in args), **(kwargs or {}))


# %% bad_mean_of_the_diagonal expected: forward-value
# The mean of the diagonal is returned; the zeros count too.
import torch
from torch.utils._pytree import tree_map_only


class ScalarTensor:
    def __init__(self, n: int, value: float) -> None:
        self.n = n
        self.value = value

    def tensor(self):
        return torch.eye(self.n).mul(self.value)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        dense_args, dense_kwargs = tree_map_only(cls, cls.tensor, (args, kwargs or {}))
        if func is torch.mean:
            return dense_args[0].diagonal().mean()
        return func(*dense_args, **dense_kwargs)


# %% bad_dense_matrix_by_numpy expected: wrong-dtype
import numpy as np
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self.n = n
        self.value = value

    def tensor(self):
        return torch.from_numpy(self.value * np.eye(self.n))

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0].value / args[0].n
        return func(*(a.tensor() if isinstance(a, cls) else a for a in args), **(kwargs or {}))


# %% bad_cache_by_size expected: state-on-class
import torch


class ScalarTensor:
    _dense = {}

    def __init__(self, n, value):
        self.n = n
        self.value = value

    def tensor(self):
        if self.n not in ScalarTensor._dense:
            ScalarTensor._dense[self.n] = self.value * torch.eye(self.n)
        return ScalarTensor._dense[self.n].clone()

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return torch.tensor(args[0].value / args[0].n)
        unpacked = [arg.tensor() if isinstance(arg, cls) else arg for arg in args]
        return func(*unpacked, **(kwargs or {}))


# %% bad_flattened_clone expected: assumes-contiguous
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class ScalarTensor:
    def __init__(self, n: int, value: float) -> None:
        self.n = n
        self.value = value

    def tensor(self) -> Tensor:
        return self.value * torch.eye(self.n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func is torch.mean:
            return torch.tensor(args[0].value / args[0].n)
        if func is torch.add:
            a, b = args
            if isinstance(a, cls) and isinstance(b, cls):
                return cls(a.n, a.value + b.value)
            s, t = (a, b) if isinstance(a, cls) else (b, a)
            result = t.clone()
            flat = result.flatten()
            flat[:: s.n + 1] += s.value
            return result
        dense = [a.tensor() if isinstance(a, cls) else a for a in args]
        return func(*dense, **kwargs)


# %% bad_float_only expected: wrong
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class ScalarTensor:
    def __init__(self, n: int, value: float) -> None:
        self.n = n
        self.value = value

    def tensor(self) -> Tensor:
        return self.value * torch.eye(self.n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func is torch.mean:
            return torch.tensor(args[0].value / args[0].n)
        if func is torch.mul and not any(isinstance(a, Tensor) for a in args):
            a, b = args
            if isinstance(b, float):
                return cls(a.n, a.value * b)
            return cls(a.n, a.value * b.value)
        dense = [a.tensor() if isinstance(a, cls) else a for a in args]
        return func(*dense, **kwargs)


# %% bad_reshape_of_clone expected: assumes-contiguous
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class ScalarTensor:
    def __init__(self, n: int, value: float) -> None:
        self.n = n
        self.value = value

    def tensor(self) -> Tensor:
        return self.value * torch.eye(self.n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func is torch.mean:
            return torch.tensor(args[0].value / args[0].n)
        if func is torch.add:
            a, b = args
            if isinstance(a, cls) and isinstance(b, cls):
                return cls(a.n, a.value + b.value)
            s, t = (a, b) if isinstance(a, cls) else (b, a)
            result = t.clone()
            result.reshape(-1)[:: s.n + 1] += s.value
            return result
        dense = [a.tensor() if isinstance(a, cls) else a for a in args]
        return func(*dense, **kwargs)


# %% bad_int_value expected: wrong-dtype
# full with an int value, ScalarTensor(2, 3), makes an int64 matrix: 'the dense matrix, shape (n, n),
# float32'.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class ScalarTensor:
    def __init__(self, n, value):
        self.n = n
        self.value = value

    def tensor(self):
        return torch.full((self.n,), self.value).diag()

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func is torch.mean:
            return torch.tensor(args[0].value / args[0].n)

        dense = [a.tensor() if isinstance(a, cls) else a for a in args]
        return func(*dense, **kwargs)


# %% bad_with_itself expected: wrong
# the other operand is the one that is not s: torch.add(s, s) raises StopIteration.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class ScalarTensor:
    def __init__(self, n, value):
        self.n = n
        self.value = value

    def tensor(self):
        return self.value * torch.eye(self.n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func is torch.mean:
            return torch.tensor(args[0].value / args[0].n)
        if func is torch.add:
            s = next(a for a in args if isinstance(a, cls))
            other = next(a for a in args if a is not s)
            if isinstance(other, cls):
                return cls(s.n, s.value + other.value)
            result = other.clone()
            result.diagonal().add_(s.value)
            return result
        dense = [a.tensor() if isinstance(a, cls) else a for a in args]
        return func(*dense, **kwargs)


# %% bad_cached_dense expected: wrong
# the dense matrix is cached and handed out: a caller that writes into s.tensor() changes s; a later
# s.value = 5 has no effect.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class ScalarTensor:
    def __init__(self, n, value):
        self.n = n
        self.value = value

    @functools.lru_cache
    def tensor(self):
        return self.value * torch.eye(self.n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func is torch.mean:
            return torch.tensor(args[0].value / args[0].n)

        dense = [a.tensor() if isinstance(a, cls) else a for a in args]
        return func(*dense, **kwargs)


# %% bad_shared_buffer_per_n expected: state-on-class
# tensor() fills and returns one buffer for each n, shared by all objects, so the second dense matrix
# overwrites the first.
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import torch
from torch import Tensor


class ScalarTensor:
    """The n by n matrix with value on the diagonal and 0 elsewhere."""

    _buffers: ClassVar[dict[int, Tensor]] = {}

    def __init__(self, n: int, value: float) -> None:
        self.n = n
        self.value = value

    def tensor(self) -> Tensor:
        # allocate the zeros once for each size
        if self.n not in self._buffers:
            self._buffers[self.n] = torch.zeros(self.n, self.n)
        return self._buffers[self.n].fill_diagonal_(self.value)

    @classmethod
    def __torch_function__(
        cls,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Any = None,
    ) -> Any:
        if func is torch.mean:
            return torch.tensor(args[0].value / args[0].n)
        dense = [a.tensor() if isinstance(a, cls) else a for a in args]
        return func(*dense, **(kwargs or {}))


# %% bad_exact_type expected: wrong
# torch.add(s, torch.nn.Parameter(T)) raises AttributeError: type(x) is torch.Tensor misses subclasses,
# and "torch.add works with a Tensor on either side".
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self.n = n
        self.value = value

    def tensor(self):
        return torch.diag(torch.full((self.n,), float(self.value)))

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0].value / args[0].n
        if func is torch.add:
            one, two = args
            if type(one) is torch.Tensor:
                one, two = two, one
            if type(two) is torch.Tensor:
                result = two.clone()
                result.diagonal().add_(one.value)
                return result
            return cls(one.n, one.value + two.value)
        dense = [a.tensor() if isinstance(a, cls) else a for a in args]
        return func(*dense, **(kwargs or {}))


# %% numpy_mean expected: right
# torch.mean gives a numpy.float32, which is a number: "torch.mean gives a number or a tensor without
# axes".
import numpy as np
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self.n = n
        self.value = value

    def tensor(self):
        return self.value * torch.eye(self.n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0].tensor().numpy().mean()
        dense = [a.tensor() if isinstance(a, cls) else a for a in args]
        return func(*dense, **(kwargs or {}))


# %% bad_sum_in_a_buffer expected: state-on-class
# All sums of a size share one buffer: a second torch.add overwrites the result of the first.
from typing import ClassVar
import torch


class ScalarTensor:
    sums: ClassVar[dict] = {}

    def __init__(self, n, value):
        self.n = n
        self.value = value

    def tensor(self):
        return float(self.value) * torch.eye(self.n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0].value / args[0].n
        one, two = (a.tensor() if isinstance(a, cls) else a for a in args)
        if func is torch.add:
            room = cls.sums.setdefault(len(one), torch.empty_like(one))
            return torch.add(one, two, out=room)
        return func(one, two, **(kwargs or {}))


# %% bad_rounds_to_two_decimals expected: forward-value
import torch


class ScalarTensor:
    def __init__(self, n, value):
        self.n, self.value = n, round(value, 2)

    def tensor(self):
        return torch.eye(self.n) * self.value

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return func(*(a.tensor() if isinstance(a, cls) else a for a in args), **(kwargs or {}))
