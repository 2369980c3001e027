"""Finds names of native autograd in the code of a student's forward and backward."""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import torch
from torch.autograd import Function, forward_ad, functional

_ENTERED = ("forward", "setup_context", "backward", "vjp", "apply")
_IN_FUNC = ("grad", "grad_and_value", "vjp", "jvp", "jacrev", "jacfwd", "hessian", "linearize")
_IN_FUNCTIONAL = ("vjp", "jvp", "jacobian", "hessian", "vhp", "hvp")
_BY_NAME: list[Any] = [
    torch.autograd.grad,
    torch.autograd.backward,
    torch.Tensor.backward,
    forward_ad.enter_dual_level,
    forward_ad.dual_level,
    *(getattr(torch.func, name) for name in _IN_FUNC),
    *(getattr(functional, name) for name in _IN_FUNCTIONAL),
]


def autograd_in_code(work: type[Function]) -> str:
    """Return a name of native autograd that forward, backward or a helper of theirs mentions, or nothing.

    The helpers are functions and classes of the module that defines the class.
    """
    waiting = [*_methods(work, _ENTERED)]
    seen: list[CodeType] = []
    while waiting:
        function = waiting.pop()
        codes = [function.__code__]
        while codes:
            code = codes.pop()
            if code in seen:
                continue
            seen.append(code)
            codes.extend(constant for constant in code.co_consts if isinstance(constant, CodeType))
            for name, value in _mentioned(code, function):
                if value is _GRAD_FN_CALLED or any(value is known for known in _BY_NAME):
                    return name
                waiting.extend(_helpers(value, function))
    return ""


def _methods(work: type, names: tuple[str, ...]) -> Iterator[FunctionType]:
    for name in names:
        for owner in work.__mro__:
            if name in vars(owner) and owner.__module__.partition(".")[0] != "torch":
                yield from _functions(vars(owner)[name])


def _functions(value: Any) -> Iterator[FunctionType]:
    """Yield the function behind a static method, a class method or a decorator that keeps what it wraps."""
    while not isinstance(value, FunctionType) or hasattr(value, "__wrapped__"):
        inner = getattr(value, "__wrapped__", None) or getattr(value, "__func__", None)
        if inner is None:
            return
        value = inner
    yield value


def _helpers(value: Any, caller: FunctionType) -> Iterator[FunctionType]:
    if isinstance(value, type) and value.__module__ == caller.__module__:
        yield from _methods(value, (*_ENTERED, "__init__", "__call__"))
    for function in _functions(value):
        if function.__globals__ is caller.__globals__:
            yield function


_GRAD_FN_CALLED = object()


def _mentioned(code: CodeType, function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the dotted names in a piece of code that start at a global, and what they stand for."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    path, value, module = "", None, None
    for step in dis.get_instructions(code):
        name = str(step.argval)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            path, value = name, function.__globals__.get(name)
        elif step.opname == "LOAD_DEREF" and name in cells:
            path, value = name, _content(cells[name])
        elif step.opname == "IMPORT_NAME":
            path, value = name, sys.modules.get(name)
            module = value
        elif step.opname == "IMPORT_FROM":
            path, value = name, _attribute(module, name)
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            called = step.opname == "LOAD_METHOD" or "NULL" in step.argrepr
            if name == "grad_fn" and called:
                yield "grad_fn", _GRAD_FN_CALLED
            path, value = f"{path}.{name}", _attribute(value, name)
        else:
            path, value = "", None
        if value is not None:
            yield path, value


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None


def _attribute(owner: Any, name: str) -> Any:
    """Return an attribute of a module or a class; of other objects none is looked at."""
    return getattr(owner, name, None) if isinstance(owner, (ModuleType, type)) else None
