"""Finds the functions that a student wrote for a piece of work: its methods, and the helpers that they name.

It looks at types and at what stands in a class, and never asks an object of the student's for an attribute:
that may run the student's code.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType, MethodType
from typing import Any, cast

from vjpcheck.errors import is_students_code

# methods that a library calls by their names, without a line of the student's that names them
CALLED = ("forward", "setup_context", "backward", "vjp", "jvp", "vmap")


@dataclass(frozen=True, eq=False)
class OwnCode:
    """The code of one of the student's functions; `called` says that a library or a check calls it."""

    code: CodeType
    called: bool


def own_code(work: Any) -> list[OwnCode]:
    """Return the code of the student's functions behind a piece of work.

    These are the work itself, the methods of a class, the functions in a dict or a list, the functions and
    classes of the same module that any of them names, and the functions that are nested in them.
    """
    waiting = [*_functions(work, called=True)]
    found: dict[int, OwnCode] = {}  # by identity: two functions may have equal code
    while waiting:
        function, called = waiting.pop()
        if id(function.__code__) in found or not is_students_code(function.__code__):
            continue
        for code in _with_nested(function.__code__):
            found[id(code)] = OwnCode(code, called and code is function.__code__)
            for value in _mentioned(code, function):
                waiting += [
                    (helper, by_library)
                    for helper, by_library in _functions(value, called=False)
                    if helper.__globals__ is function.__globals__
                ]
    return [*found.values()]


def _functions(value: Any, called: bool) -> Iterator[tuple[FunctionType, bool]]:
    """Yield the functions behind a value, and for each whether it is called without being named."""
    kind = type(value)
    if issubclass(kind, type):
        for owner in type.mro(value):
            for name, member in type.__dict__["__dict__"].__get__(owner).items():
                yield from ((function, name in CALLED) for function in _unwrapped(member))
    elif kind in (dict, list, tuple):
        for member in value.values() if kind is dict else value:
            yield from ((function, called) for function in _unwrapped(member))
    else:
        yield from ((function, called) for function in _unwrapped(value))


def _unwrapped(value: Any) -> Iterator[FunctionType]:
    """Yield the functions behind a method, a property, a partial and a decorator, which is one of them.

    What `functools.cache` has behind it is left out: a result from before a check is used without a call.
    """
    kind = type(value)
    if kind in (staticmethod, classmethod, MethodType):
        yield from _unwrapped(value.__func__)
    elif kind is property:
        for accessor in (value.fget, value.fset):
            yield from _unwrapped(accessor)
    elif kind is functools.partial:
        yield from _unwrapped(value.func)
    elif kind is FunctionType:
        yield value
        if "__wrapped__" in vars(value):
            yield from _unwrapped(vars(value)["__wrapped__"])


def _with_nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if type(constant) is CodeType:
            yield from _with_nested(constant)


def _mentioned(code: CodeType, function: FunctionType) -> Iterator[Any]:
    """Yield what the names in a piece of code stand for, globals and variables of the functions around."""
    for name in code.co_names:
        if name in function.__globals__:
            yield _of_module(function.__globals__[name], function)
    if code is function.__code__:
        for cell in function.__closure__ or ():
            try:
                yield _of_module(cell.cell_contents, function)
            except ValueError:  # not filled yet
                continue


def _of_module(value: Any, function: FunctionType) -> Any:
    """Return a value; None in place of a class of another module, and of a container."""
    kind = type(value)
    if issubclass(kind, type):
        own = type.__dict__["__module__"].__get__(value) == function.__globals__.get("__name__")
        return cast(Any, value) if own else None
    return value if kind in (FunctionType, staticmethod, functools.partial) else None
