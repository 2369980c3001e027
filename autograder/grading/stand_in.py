"""An exercise as the sandbox sees it: enough of it to make the probe, and no truth."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Mapping
from typing import Any


def stand_in(description: Mapping[str, Any]) -> Any:
    """Return an exercise that can make its probe and nothing else: it has the plain fields alone."""
    module, name = description["class"].split(":")
    exercise = object.__new__(getattr(importlib.import_module(module), name))
    for field, value in description["fields"].items():
        object.__setattr__(exercise, field, tuple(value) if isinstance(value, list) else value)
    return exercise


def description(exercise: Any) -> dict[str, Any]:
    """Return what `stand_in` needs: strings, numbers and tuples of strings, never a truth."""
    kind = type(exercise)
    given = {field.name: getattr(exercise, field.name) for field in dataclasses.fields(exercise)}
    plain = {name: value for name, value in given.items() if _is_plain(value)}
    return {"class": f"{kind.__module__}:{kind.__qualname__}", "fields": plain}


def _is_plain(value: object) -> bool:
    of_strings = isinstance(value, tuple) and all(isinstance(item, str) for item in value)
    return of_strings or isinstance(value, (str, bool, int, float))
