"""Finds functions and classes of the autograder that a submission has replaced in its process.

They are compared by identity, and so is a function's code.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any

_PACKAGE = "autograder."


class Snapshot:
    """The functions and classes of the autograder's modules, as they are now."""

    def __init__(self) -> None:
        modules = [module for name, module in sys.modules.items() if name.startswith(_PACKAGE)]
        self._seen = [place for module in modules for place in _places(module)]

    def replaced(self, probe: Any) -> str:
        """Return the name of the first that is another object now, in a module or on the probe, or ''."""
        for where, names, name, value, code in self._seen:
            now = names.get(name)
            if now is not value or (code is not None and _code(now) is not code):
                return f"{where}.{name}"
        own = vars(probe) if hasattr(probe, "__dict__") else {}
        methods = (name for name in own if isinstance(getattr(type(probe), name, None), FunctionType))
        return next((f"{type(probe).__name__}.{name}" for name in methods), "")


def _places(module: ModuleType) -> Iterator[tuple[str, Mapping[str, Any], str, Any, Any]]:
    """Yield each function and class: its owner's name, the namespace, its name there, itself, its code."""
    for name, value in list(vars(module).items()):
        if isinstance(value, (FunctionType, type)):
            yield module.__name__, vars(module), name, value, _code(value)
        if isinstance(value, type) and value.__module__ == module.__name__:
            for inner, member in list(vars(value).items()):
                if isinstance(member, (FunctionType, property, staticmethod, classmethod)):
                    yield value.__name__, vars(value), inner, member, _code(member)


def _code(value: Any) -> Any:
    return getattr(getattr(value, "__func__", value), "__code__", None)
