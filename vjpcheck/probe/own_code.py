"""Finds the functions that a student wrote for a piece of work: its methods and the helpers that they name.

It inspects types and the dicts of classes. It never reads an attribute of a student's object, which could run
student code.
"""

from __future__ import annotations

import dis
import functools
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from vjpcheck.errors import is_students_code

# methods that a library calls by name
CALLED = ("forward", "setup_context", "backward", "vjp", "jvp", "vmap")


@dataclass(frozen=True, eq=False)
class OwnCode:
    """The code of one of the student's functions; `called` says that a library or a check calls it."""

    code: CodeType
    function: FunctionType
    called: bool


_as_written: dict[int, tuple[CodeType, CodeType]] = {}  # by id, and the first itself, so that it stays alive


def note_code(code: CodeType, as_written: CodeType) -> None:
    """Declare that a piece of code is another, as the student wrote it, with something added."""
    _as_written[id(code)] = code, as_written
    nested = [[c for c in each.co_consts if type(c) is CodeType] for each in (code, as_written)]
    for inner in zip(*nested, strict=True):
        note_code(*inner)


def as_written(code: CodeType) -> CodeType:
    """Return a piece of code as the student wrote it."""
    return _as_written.get(id(code), (code, code))[1]


class Mention(NamedTuple):
    """A dotted name in code, its value if known, whether it is called, and whose attribute it is."""

    name: str
    value: Any
    called: bool
    owner: Any


def own_code(work: Any, entered: Collection[str] = ()) -> list[OwnCode]:
    """Return the code of the student's functions behind a piece of work.

    These are the work itself, the methods of a class, the functions in a dict or a list, the functions and
    classes of the same module that any of them names, and nested functions. If `entered` is not empty, only
    the methods in it and those that are named count.
    """
    waiting = [*_functions(work, True, entered)]
    by_id: dict[int, OwnCode] = {}  # two functions may have equal code
    while waiting:
        function, called = waiting.pop()
        if id(function.__code__) in by_id or not is_students_code(function.__code__):
            continue
        for code in _with_nested(function.__code__):
            by_id[id(code)] = OwnCode(code, function, called and code is function.__code__)
            for _, value, *_ in mentioned(code, function):
                waiting += [
                    (helper, by_library)
                    for helper, by_library in _functions(_of_module(value, function), False, entered)
                    if helper.__globals__ is function.__globals__
                ]
    return [*by_id.values()]


def _functions(value: Any, called: bool, entered: Collection[str]) -> Iterator[tuple[FunctionType, bool]]:
    """Yield the functions behind a value, and for each whether it is called without being named."""
    kind = type(value)
    if issubclass(kind, type):
        for name, member in _members(value):
            if not entered or name in (*entered, "__init__", "__call__"):
                yield from ((function, name in CALLED) for function in _unwrapped(member))
    elif kind in (dict, list, tuple):
        for member in value.values() if kind is dict else value:
            yield from ((function, called) for function in _unwrapped(member))
    else:
        yield from ((function, called) for function in _unwrapped(value))


def _members(owner: Any) -> Iterator[tuple[str, Any]]:
    for each in type.mro(owner):
        yield from type.__dict__["__dict__"].__get__(each).items()


def _unwrapped(value: Any) -> Iterator[FunctionType]:
    """Yield the functions behind a method, a property, a partial or a decorator, the decorator included.

    The function behind `functools.cache` is left out: its cached results need no call.
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


def mentioned(code: CodeType, function: FunctionType) -> Iterator[Mention]:
    """Yield the dotted names in a piece of code; names that start at a global or a closure have a value."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    path, value, module = "", None, None
    for step in dis.get_instructions(as_written(code)):
        name = str(step.argval)
        called, owner = False, None
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
            called, owner = step.opname == "LOAD_METHOD" or "NULL" in step.argrepr, value
            path, value = f"{path}.{name}", _attribute(value, name)
        else:
            path, value = "", None
        if path:
            yield Mention(path, value, called, owner)


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None


def _attribute(owner: Any, name: str) -> Any:
    """Return an attribute of a module or a class; None for other objects, which are not inspected."""
    if type(owner) is ModuleType:
        return getattr(owner, name, None)
    return dict(reversed([*_members(owner)])).get(name) if issubclass(type(owner), type) else None


def _of_module(value: Any, function: FunctionType) -> Any:
    """Return a value; None for a class of another module, and for a container."""
    kind = type(value)
    if issubclass(kind, type):
        own = type.__dict__["__module__"].__get__(value) == function.__globals__.get("__name__")
        return value if own else None
    return value if kind in (FunctionType, staticmethod, functools.partial) else None
