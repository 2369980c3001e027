"""Says whether the autograder's own code in a submission's process is still what it was before.

Functions and classes are compared by identity, and so is a function's code.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

_PACKAGE = "autograder."


class Snapshot:
    """What the modules of the autograder that are imported hold now."""

    def __init__(self) -> None:
        modules = [m for name, m in sys.modules.items() if name.startswith(_PACKAGE)]
        self._modules = [module for module in modules if isinstance(module, ModuleType)]
        self._seen = dict(self._places())

    def replaced(self, probe: Any) -> str:
        """Return the name of the first thing that is another one now, in a module or on the probe, or ''."""
        now = dict(self._places())
        for where, held in self._seen.items():
            if where not in now or any(a is not b for a, b in zip(now[where], held, strict=True)):
                return where
        own = vars(probe) if hasattr(probe, "__dict__") else {}
        methods = (name for name in own if isinstance(getattr(type(probe), name, None), FunctionType))
        return next((f"{type(probe).__name__}.{name}" for name in methods), "")

    def _places(self) -> Iterator[tuple[str, tuple[Any, ...]]]:
        for module in self._modules:
            for name, value in list(vars(module).items()):
                if isinstance(value, (FunctionType, type)):
                    yield f"{module.__name__}.{name}", _held(value)
                if isinstance(value, type) and value.__module__ == module.__name__:
                    for inner, member in list(vars(value).items()):
                        if not inner.startswith("__") or inner in ("__init__", "__getattr__"):
                            yield f"{value.__name__}.{inner}", _held(getattr(member, "__func__", member))


def _held(value: Any) -> tuple[Any, ...]:
    if isinstance(value, FunctionType):
        return value, value.__code__, value.__defaults__, value.__kwdefaults__
    return value, None, None, None
