"""Says whether the autograder's own code in a submission's process is still what it was before.

Functions and classes are compared by identity, and so is a function's code.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any

_PACKAGE = "autograder."


class Snapshot:
    """What the modules of the autograder that are imported hold now."""

    def __init__(self) -> None:
        modules = [module for name, module in sys.modules.items() if name.startswith(_PACKAGE)]
        self._seen = [place for module in modules for place in _places(module)]

    def replaced(self, probe: Any) -> str:
        """Return the name of the first thing that is another one now, in a module or on the probe, or ''."""
        for where, names, name, value, code in self._seen:
            now = names.get(name)
            if now is not value or (code is not None and _code(now) is not code):
                return f"{where}.{name}"
        own = vars(probe) if hasattr(probe, "__dict__") else {}
        methods = (name for name in own if isinstance(getattr(type(probe), name, None), FunctionType))
        return next((f"{type(probe).__name__}.{name}" for name in methods), "")


def _places(module: ModuleType) -> Iterator[tuple[str, Mapping[str, Any], str, Any, Any]]:
    """Yield where a function or a class is found, in which names, by which name, it, and its code."""
    for name, value in list(vars(module).items()):
        if isinstance(value, (FunctionType, type)):
            yield module.__name__, vars(module), name, value, _code(value)
        if isinstance(value, type) and value.__module__ == module.__name__:
            for inner, member in list(vars(value).items()):
                if isinstance(member, (FunctionType, property, staticmethod, classmethod)):
                    yield value.__name__, vars(value), inner, member, _code(member)


def _code(value: Any) -> Any:
    return getattr(getattr(value, "__func__", value), "__code__", None)
