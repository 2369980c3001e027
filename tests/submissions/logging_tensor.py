# %% closure_and_strings_with_arguments expected: right
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


# %% bad_list_of_tuples_in_the_module expected: wrong
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


# %% list_on_the_class expected: right
import torch


class LoggingTensor(torch.Tensor):
    calls = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(func.__name__)
        return super().__torch_function__(func, types, args, kwargs or {})


# %% own_logger_with_a_level expected: right
import logging

import torch

logger = logging.getLogger("logging_tensor")
logger.setLevel(logging.DEBUG)


class LoggingTensor(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        logger.debug("torch call: %s", torch.overrides.resolve_name(func))
        return super().__torch_function__(func, types, args, kwargs if kwargs else {})


# %% prints_a_line expected: right
import torch


class LoggingTensor(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        name = torch.overrides.resolve_name(func) or func.__name__
        print("called", name)
        with torch._C.DisableTorchFunctionSubclass():
            found = func(*args, **(kwargs or {}))
        return torch._tensor._convert(found, cls)


# %% pythons_logging expected: right
import logging

import torch


class LoggingTensor(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is not torch.Tensor.__repr__:
            logging.info(f"func: {func.__name__}, args: {args!r}, kwargs: {kwargs!r}")
        if kwargs is None:
            kwargs = {}
        return super().__torch_function__(func, types, args, kwargs)


# %% bad_functions_in_a_deque expected: wrong
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


# %% wrapper_by_torch_dispatch expected: right
import torch
from torch.utils._pytree import tree_map


class LoggingTensor(torch.Tensor):
    calls = []

    @staticmethod
    def __new__(cls, elem):
        made = torch.Tensor._make_wrapper_subclass(cls, elem.size(), dtype=elem.dtype, strides=elem.stride())
        made.elem = elem
        return made

    __torch_function__ = torch._C._disabled_torch_function_impl

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(str(func))
        unwrap = lambda t: t.elem if isinstance(t, cls) else t
        wrap = lambda t: cls(t) if isinstance(t, torch.Tensor) else t
        return tree_map(wrap, func(*tree_map(unwrap, args), **tree_map(unwrap, kwargs or {})))

    def __repr__(self):
        return f"LoggingTensor({self.elem})"


# %% bad_doubles_the_values expected: wrong from: list_on_the_class
# -         return super().__torch_function__(func, types, args, kwargs or {})
# +         found = super().__torch_function__(func, types, args, kwargs or {})
# +         return super().__torch_function__(torch.add, types, (found, found)) if func is torch.exp else found


# %% bad_endless expected: wrong from: list_on_the_class
# -         return super().__torch_function__(func, types, args, kwargs or {})
# +         return func(*args, **(kwargs or {}))


# %% bad_endless_repr expected: wrong from: list_on_the_class
# -         cls.calls.append(func.__name__)
# +         cls.calls.append(f"{func.__name__} {args!r}")


# %% bad_first_call_only expected: wrong from: list_on_the_class
# -         cls.calls.append(func.__name__)
# +         if not cls.calls:
# +             cls.calls.append(func.__name__)


# %% bad_keywords_dropped expected: wrong from: list_on_the_class
# -         return super().__torch_function__(func, types, args, kwargs or {})
# +         return super().__torch_function__(func, types, args)


# %% bad_keywords_spread_none expected: wrong from: list_on_the_class
# -         return super().__torch_function__(func, types, args, kwargs or {})
# +         with torch._C.DisableTorchFunctionSubclass():
# +             return func(*args, **kwargs).as_subclass(cls)


# %% bad_logs_a_fixed_word expected: wrong from: list_on_the_class
# -         cls.calls.append(func.__name__)
# +         cls.calls.append("call")


# %% bad_logs_after_the_first_argument expected: wrong from: list_on_the_class
# -         cls.calls.append(func.__name__)
# +         if isinstance(args[0], cls):
# +             cls.calls.append(func.__name__)


# %% bad_logs_methods_only expected: wrong from: list_on_the_class
# -         cls.calls.append(func.__name__)
# +         if func.__name__ in dir(torch.Tensor) and getattr(torch.Tensor, func.__name__) is func:
# +             cls.calls.append(func.__name__)


# %% bad_logs_only_products expected: wrong from: list_on_the_class
# -         cls.calls.append(func.__name__)
# +         if func.__name__ == "mul":
# +             cls.calls.append(func.__name__)


# %% bad_logs_the_types expected: wrong from: list_on_the_class
# -         cls.calls.append(func.__name__)
# +         cls.calls.append(types[0].__name__)


# %% bad_no_torch_function expected: wrong
import torch


class LoggingTensor(torch.Tensor):
    calls = []


# %% bad_nothing_logged expected: wrong from: list_on_the_class
# -         cls.calls.append(func.__name__)


# %% bad_nothing_returned expected: wrong from: list_on_the_class
# -         return super().__torch_function__(func, types, args, kwargs or {})
# +         super().__torch_function__(func, types, args, kwargs or {})


# %% bad_refuses_plain_tensors expected: wrong from: list_on_the_class
#           cls.calls.append(func.__name__)
# +         if not all(t is cls for t in types) or any(type(a) is torch.Tensor for a in args):
# +             return NotImplemented


# %% bad_stub expected: wrong
import torch


class LoggingTensor(torch.Tensor):
    calls = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        raise NotImplementedError


# %% bad_type_lost expected: wrong from: list_on_the_class
# -         return super().__torch_function__(func, types, args, kwargs or {})
# +         plain = [a.as_subclass(torch.Tensor) if isinstance(a, cls) else a for a in args]
# +         return func(*plain, **(kwargs or {}))


# %% bad_type_lost_in_tuples expected: wrong from: list_on_the_class
# -         return super().__torch_function__(func, types, args, kwargs or {})
# +         with torch._C.DisableTorchFunctionSubclass():
# +             found = func(*args, **(kwargs or {}))
# +         return found.as_subclass(cls) if isinstance(found, torch.Tensor) else found


# %% bad_type_lost_under_disable expected: wrong from: list_on_the_class
# -         return super().__torch_function__(func, types, args, kwargs or {})
# +         with torch._C.DisableTorchFunctionSubclass():
# +             return func(*args, **(kwargs or {}))


# %% bad_no_tensor expected: cannot run
class LoggingTensor:
    calls = []


# %% hostile_prints_very_much expected: wrong
import torch


class LoggingTensor(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        for _ in range(1000):
            print("x" * 1000)
        return super().__torch_function__(func, types, args, kwargs or {})


# %% bad_writes_into_its_operands expected: mutates-input
import torch


class LoggingTensor(torch.Tensor):
    calls = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(func.__name__)
        result = super().__torch_function__(func, types, args, kwargs or {})
        for argument in args:
            if isinstance(argument, torch.Tensor):
                with torch._C.DisableTorchFunctionSubclass():
                    argument.data.add_(1.0)
        return result


# %% bad_logs_the_function_itself expected: wrong from: list_on_the_class
# -         cls.calls.append(func.__name__)
# +         cls.calls.append(func)


# %% numbered_entries expected: right
# Entries carry a number and the count of arguments; Tensor's own method does the rest.
from typing import ClassVar

from torch import Tensor


class LoggingTensor(Tensor):
    calls: ClassVar[list[str]] = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = dict(kwargs or ())
        result = Tensor.__torch_function__.__func__(cls, func, types, args, kwargs)
        entry = f"{len(cls.calls) + 1}: {func.__name__} ({len(args)} arguments, {len(kwargs)} keywords)"
        cls.calls.append(entry)
        return result


# %% bad_lists_left_alone expected: wrong
# Unwraps the arguments one by one but not those inside a list: torch.cat comes back without end.
from typing import ClassVar

import torch
from torch import Tensor
from torch.utils._pytree import tree_map_only


def plain(value):
    if isinstance(value, LoggingTensor):
        with torch._C.DisableTorchFunctionSubclass():
            return value.as_subclass(Tensor)
    return value


def wrap(value):
    return value.as_subclass(LoggingTensor)


class LoggingTensor(Tensor):
    calls: ClassVar[list[str]] = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(func.__name__)
        options = {name: plain(value) for name, value in (kwargs or {}).items()}
        out = func(*[plain(a) for a in args], **options)
        return tree_map_only(Tensor, wrap, out)


# %% bad_keywords_dropped_otherwise expected: wrong
# kwargs are not passed on: torch.sum(x, dim=0) sums everything.
from collections.abc import Callable
from typing import Any, ClassVar

from torch import Tensor


class LoggingTensor(Tensor):
    """A Tensor that logs the torch functions called on it."""

    calls: ClassVar[list[str]] = []

    @classmethod
    def __torch_function__(
        cls, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        name = getattr(func, "__name__", repr(func))
        cls.calls += [name]
        return super().__torch_function__(func, types, args)


# %% bad_with_the_shape expected: wrong
# x.shape on a LoggingTensor is itself a logged call: it comes back without end.
from typing import ClassVar

from torch import Tensor


class LoggingTensor(Tensor):
    calls: ClassVar[list[str]] = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        shapes = [" by ".join(map(str, a.shape)) for a in args if isinstance(a, Tensor)]
        cls.calls.append(f"{func.__name__}({', '.join(shapes)})")
        return super().__torch_function__(func, types, args, kwargs or {})


# %% bad_repeats_left_out expected: wrong
# a name that is the last of the log already is not written again
from torch import Tensor


class LoggingTensor(Tensor):
    calls = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        name = func.__name__
        if cls.calls[-1:] != [name]:
            cls.calls.append(name)
        if kwargs is None:
            kwargs = {}
        return super().__torch_function__(func, types, args, kwargs)


# %% bad_unwraps_the_callers_list expected: mutates-input
import torch


class LoggingTensor(torch.Tensor):
    calls = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(func.__name__)
        args = list(args)
        _plain(args)
        result = func(*args, **(kwargs or {}))
        return _logging(result)


def _plain(items):
    for i, item in enumerate(items):
        if isinstance(item, LoggingTensor):
            items[i] = item.as_subclass(torch.Tensor)
        elif isinstance(item, list):
            _plain(item)
        elif isinstance(item, tuple):
            parts = list(item)
            _plain(parts)
            items[i] = tuple(parts)


def _logging(result):
    if isinstance(result, torch.Tensor):
        return result.as_subclass(LoggingTensor)
    if isinstance(result, (tuple, list)):
        return type(result)(map(_logging, result))
    return result


# %% bad_plain_tuple_of_results expected: wrong
from typing import ClassVar

import torch
from torch import Tensor


class LoggingTensor(Tensor):
    calls: ClassVar[list[str]] = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(func.__name__)
        with torch._C.DisableTorchFunctionSubclass():
            result = func(*args, **(kwargs or {}))

            def wrap(r):
                if isinstance(r, Tensor):
                    return r if isinstance(r, cls) else r.as_subclass(cls)
                if isinstance(r, (tuple, list)) and any(isinstance(e, Tensor) for e in r):
                    return tuple(wrap(e) for e in r)
                return r

            return wrap(result)


# %% bad_silent_after_an_error expected: wrong
from typing import ClassVar

import torch
from torch import Tensor


class LoggingTensor(Tensor):
    calls: ClassVar[list[str]] = []
    inside = False

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if cls.inside:
            return super().__torch_function__(func, types, args, kwargs or {})
        cls.inside = True
        cls.calls.append(func.__name__)
        result = super().__torch_function__(func, types, args, kwargs or {})
        cls.inside = False
        return result


# %% bad_first_of_tuple expected: wrong
# In torch.max(x, dim=0) the indices stay a plain Tensor.
from typing import Any
import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class LoggingTensor(Tensor):
    calls = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(func.__name__)
        with torch._C.DisableTorchFunctionSubclass():
            result = func(*args, **(kwargs or {}))

        def wrap(r):
            if isinstance(r, Tensor) and r.is_floating_point():
                return r.as_subclass(cls)
            return r

        if (
            isinstance(result, tuple)
            and hasattr(result, "_fields")
            or type(result).__module__ == "torch.return_types"
        ):
            return type(result)([wrap(r) for r in result])
        if isinstance(result, (tuple, list)):
            return type(result)(wrap(r) for r in result)
        return wrap(result)


# %% bad_keywords_not_unwrapped expected: wrong
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class LoggingTensor(Tensor):
    calls = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(func.__name__)

        def plain(a):
            if isinstance(a, (list, tuple)):
                return type(a)(plain(b) for b in a)
            return a.as_subclass(Tensor) if isinstance(a, cls) else a

        def logging(r):
            if isinstance(r, Tensor):
                return r.as_subclass(cls)
            if isinstance(r, tuple) and hasattr(r, "_fields") or type(r).__module__ == "torch.return_types":
                return type(r)([logging(b) for b in r])
            if isinstance(r, (list, tuple)):
                return type(r)(logging(b) for b in r)
            return r

        with torch._C.DisableTorchFunctionSubclass():
            args = plain(args)
        return logging(func(*args, **(kwargs or {})))


# %% bad_list_in_keyword expected: wrong
# keyword arguments are unwrapped at the top alone: torch.cat(tensors=[t, x]) never ends; 'stand in a
# list', 'keyword arguments arrive'.
from typing import Any
import functools
import numpy as np
import torch
from scipy import signal
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional


class LoggingTensor(Tensor):
    calls = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(func.__name__)

        def plain(a):
            if isinstance(a, (list, tuple)):
                return type(a)(plain(b) for b in a)
            return a.as_subclass(Tensor) if isinstance(a, cls) else a

        def logging(r):
            if isinstance(r, Tensor):
                return r.as_subclass(cls)
            if type(r).__module__ == "torch.return_types":
                return type(r)([logging(b) for b in r])
            if isinstance(r, (list, tuple)):
                return type(r)(logging(b) for b in r)
            return r

        with torch._C.DisableTorchFunctionSubclass():
            args = plain(args)
            kwargs = {
                k: v.as_subclass(Tensor) if isinstance(v, cls) else v for k, v in (kwargs or {}).items()
            }
        return logging(func(*args, **kwargs))


# %% bad_once_per_operand expected: wrong
# An entry for each LoggingTensor among the operands: torch.add(x, x) logs "add" twice though "each call
# adds an entry".
from typing import ClassVar
import torch
from torch import Tensor
from torch.utils._pytree import tree_leaves


class LoggingTensor(Tensor):
    calls: ClassVar[list[str]] = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        for leaf in tree_leaves((args, kwargs or {})):
            if isinstance(leaf, cls):
                cls.calls.append(func.__name__)
        return super().__torch_function__(func, types, args, kwargs or {})


# %% bad_logs_no_operand_with_a_zero expected: wrong from: list_on_the_class
# -         cls.calls.append(func.__name__)
# +         plain = [a.as_subclass(torch.Tensor) for a in args if isinstance(a, torch.Tensor)]
# +         if all(a.all() for a in plain):
# +             cls.calls.append(func.__name__)
