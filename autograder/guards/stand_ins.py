"""What guarded code gets in place of builtins, classes and functions that would lead around the guards."""

import builtins
import contextlib
import dataclasses
import functools
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from autograder.guards.allowed import BUILTINS, is_dunder
from autograder.guards.guards import Guards

_CALL_FREE = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,|[] ")


def guarded_builtins(guards: Guards) -> dict[str, Any]:
    """Return the builtins of guarded code; those that lead elsewhere refuse to be called.

    Fills `guards.stand_ins` with what replaces objects of libraries.
    """
    allowed = {name: value for name, value in vars(builtins).items() if name in BUILTINS}
    others = {name: _refusing(guards, name) for name in vars(builtins) if name not in BUILTINS}
    kind = _type(guards)
    guards.stand_ins |= {id(type): kind, id(np.ndarray): _array(guards)}
    guards.stand_ins |= {id(real): stand_in for real, stand_in in _functions(guards)}
    return (
        others
        | allowed
        | {
            "getattr": _getattr(guards),
            "setattr": lambda value, name, new: setattr(guards.write(value, _text(name)), name, new),
            "delattr": lambda value, name: delattr(guards.write(value, _text(name)), name),
            "type": kind,
            "display": lambda *values: print(*values),
        }
    )


def _refusing(guards: Guards, name: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise guards.refuse(name)

    return refuse


def _text(name: Any) -> str:
    if type(name) is not str:  # a subclass could have another text at each look
        raise TypeError(f"attribute name must be string, not {type(name).__name__!r}")
    return name


def _getattr(guards: Guards) -> Callable[..., Any]:
    def guarded_getattr(value: Any, name: str, *default: Any) -> Any:
        return getattr(guards.read(value, _text(name)), name, *default)

    return guarded_getattr


def _type(guards: Guards) -> type:
    class Meta(type):
        def __call__(cls, *arguments: Any, **keywords: Any) -> Any:
            match arguments:
                case [value] if not keywords:
                    return guards.shown(type(value))
                case [name, bases, namespace] if not keywords:
                    return made(name, bases, dict(namespace))
            raise guards.refuse("type() with these arguments")

        def __instancecheck__(cls, value: Any) -> bool:
            return isinstance(value, type)

        def __subclasscheck__(cls, kind: Any) -> bool:
            return issubclass(kind, type)

    def made(name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
        for key in namespace:
            if type(key) is not str or (is_dunder(key) and key not in guards.allowed.dunders):
                raise guards.refuse(f"a class with {key}")
        namespace["__module__"] = "__main__"
        return types.new_class(name, bases, {}, lambda body: body.update(namespace))

    return Meta("type", (), _subscripted(type, "builtins"))


def _array(guards: Guards) -> type:
    """Return a class for `ndarray` that makes no view of the memory of other objects."""

    class Meta(type):
        def __call__(cls, shape: Any, dtype: Any = float, **keywords: Any) -> Any:
            if keywords:
                raise guards.refuse("numpy.ndarray() with a buffer")
            return np.empty(shape, dtype)

        def __instancecheck__(cls, value: Any) -> bool:
            return isinstance(value, np.ndarray)

        def __subclasscheck__(cls, kind: Any) -> bool:
            return issubclass(kind, np.ndarray)

        def __eq__(cls, other: Any) -> bool:
            return other is cls or other is np.ndarray

        def __hash__(cls) -> int:
            return hash(np.ndarray)

    return Meta("ndarray", (), _subscripted(np.ndarray, "numpy"))


def _subscripted(real: type, module: str) -> dict[str, Any]:
    """Return the body of a stand-in, which in an annotation such as `type[int]` gives the real class."""
    return {"__class_getitem__": classmethod(lambda cls, _: real), "__module__": module, "__slots__": ()}


def _functions(guards: Guards) -> Iterator[tuple[Any, Any]]:
    """Yield functions that assign to what they are given, and evaluate texts, each with its stand-in."""

    def own(value: Any) -> Any:
        if not guards.own(value):
            raise guards.refuse("a decorator on an object of a library")
        return value

    def update_wrapper(wrapper: Any, wrapped: Any, *attributes: Any) -> Any:
        if attributes:
            raise guards.refuse("functools.update_wrapper with names")
        # what a library's object has as attributes must not become the function's
        updated = ("__dict__",) if guards.own(wrapped) else ()
        return functools.update_wrapper(own(wrapper), wrapped, updated=updated)

    def dataclass(cls: Any = None, **keywords: Any) -> Any:
        decorate = dataclasses.dataclass(**keywords)
        return decorate(own(cls)) if cls is not None else lambda later: decorate(own(later))

    def of_plain(real: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that reads the fields of an object, for objects of no library's class."""

        def function(value: Any, *arguments: Any, **keywords: Any) -> Any:
            if not guards.plain(type(value)):
                raise guards.refuse(f"dataclasses.{real.__name__} of an object of a library")
            return real(value, *arguments, **keywords)

        return function

    for real in (dataclasses.asdict, dataclasses.astuple, dataclasses.replace):
        yield real, of_plain(real)

    yield functools.update_wrapper, update_wrapper
    yield functools.wraps, lambda wrapped: lambda wrapper: update_wrapper(wrapper, wrapped)
    yield functools.total_ordering, lambda cls: functools.total_ordering(own(cls))
    yield dataclasses.dataclass, dataclass
    if "torch" in sys.modules:
        library = sys.modules["torch"].library
        for real in (library.custom_op, library.infer_schema):
            yield real, functools.partial(_with_plain_annotations, guards, real)


def _with_plain_annotations(guards: Guards, real: Any, *arguments: Any, **keywords: Any) -> Any:
    """Call a function that evaluates the texts of annotations; refuse texts that could call something."""
    for function in arguments:
        for text in _texts(getattr(function, "__annotations__", {})):
            if not set(text) <= _CALL_FREE:
                raise guards.refuse(f"the annotation {text[:60]!r}")
    made = real(*arguments, **keywords)
    if isinstance(made, types.FunctionType):  # a decorator
        return lambda function: _with_plain_annotations(guards, lambda one: made(one), function)
    return made


def _texts(annotation: Any) -> Iterator[str]:
    if isinstance(annotation, str):
        yield annotation
    elif isinstance(annotation, typing.ForwardRef):
        yield annotation.__forward_arg__
    elif isinstance(annotation, Mapping):
        for each in annotation.values():
            yield from _texts(each)
    else:
        with contextlib.suppress(Exception):
            for each in typing.get_args(annotation):
                yield from _texts(each)
