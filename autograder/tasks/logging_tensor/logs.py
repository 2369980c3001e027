"""Finds the log of a type: a list, Python's logging, or its output."""

import io
import logging
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from inspect import getclosurevars
from types import FunctionType
from typing import Any

import torch

LOGGING, PRINTED = "logging", "print"
ENTRIES_AT_MOST = 100  # of one log, that are read after one call


class _Keeping(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@contextmanager
def new_entries(work: type) -> Iterator[dict[str, list[str]]]:
    """Yield a dict that has, after the block, the entries added to each log of the type.

    A log is a list on the class or in its module, the records of Python's logging, or the printed lines.
    """
    entries: dict[str, list[str]] = {}
    lengths = {place: len(log) for place, log in _lists(work).items()}
    handler, root, printed = _Keeping(), logging.getLogger(), io.StringIO()
    level = root.level
    root.addHandler(handler)
    root.setLevel(1)
    try:
        with redirect_stdout(printed):
            yield entries
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
    for place, log in _lists(work).items():
        entries[place] = _entries(list(log)[lengths.get(place, 0) :])
    entries[LOGGING] = _entries(handler.messages)
    entries[PRINTED] = _entries(printed.getvalue().splitlines())


def _lists(work: type) -> dict[str, Any]:
    """Return the lists on the class and in the module of its methods, by name."""
    lists: dict[str, Any] = {}
    for owner in reversed(work.__mro__[: work.__mro__.index(torch.Tensor)]):
        for method in vars(owner).values():
            function = getattr(method, "__func__", method)
            lists |= getattr(function, "__globals__", {})
            if isinstance(function, FunctionType):
                lists |= getclosurevars(function).nonlocals
        for name, value in vars(owner).items():
            lists[f"{work.__name__}.{name}"] = value
    return {name: value for name, value in lists.items() if isinstance(value, (list, deque))}


def _entries(entries: list[Any]) -> list[str]:
    return [_entry(entry) for entry in entries[:ENTRIES_AT_MOST]]


def _entry(entry: Any) -> str:
    """Return an entry as text; an entry that is no string becomes its type in angle brackets."""
    return str(entry)[:200] if isinstance(entry, str) else f"<{type(entry).__name__}>"
