"""Watches a student's forward and backward for calls of native autograd while they run.

The functions that are called here are looked up at import, before any student's code runs.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from inspect import CO_VARARGS
from types import CodeType, FrameType
from typing import Any

from torch import Tensor

from vjpcheck.errors import students_line
from vjpcheck.probe.conversion import holds_tensors
from vjpcheck.torch_internals import (
    Unavailable,
    applied_function,
    code_of,
    enters_autograd,
    entrances,
)

with suppress(Unavailable):  # reported when a check needs it
    entrances()
_getprofile, _setprofile, _follow, _followed = (
    sys.getprofile,
    sys.setprofile,
    threading.setprofile,
    threading.getprofile,
)


@contextmanager
def watching(lines: list[str], lists: list[str]) -> Iterator[None]:
    """Add to `lines` the student's own line of each call of native autograd in the block.

    Only calls by the block itself count, in this thread and in those that `threading` starts; a call of the
    student's code by autograd does not. Add to `lists` the lines that call apply of a Function with tensors
    inside a list.
    """
    ended = False
    forwards: set[CodeType | None] = set()  # of the Functions whose apply was called

    def notice(frame: FrameType, event: str, argument: Any) -> None:
        if ended:
            return
        if enters_autograd(frame, event, argument):
            lines.append(students_line(frame))
        elif (function := applied_function(frame, event, argument)) is not None:
            forwards.add(code_of(function.forward))
        elif event == "call" and frame.f_code in forwards and _has_list_argument(frame):
            lists.append(students_line(frame.f_back))

    if _getprofile() is not None:  # the check itself is profiled, and that profiler could not be restored
        yield
        return
    followed = _followed()
    _follow(notice)
    _setprofile(notice)
    try:
        yield
    finally:
        ended = True
        _setprofile(None)
        _follow(followed)


def _has_list_argument(frame: FrameType) -> bool:
    """Return whether a starting function has an argument with tensors inside a list, a tuple or a dict."""
    code = frame.f_code
    arguments = [frame.f_locals[name] for name in code.co_varnames[: code.co_argcount]]
    if code.co_flags & CO_VARARGS:
        arguments += frame.f_locals[code.co_varnames[code.co_argcount + code.co_kwonlyargcount]]
    return any(holds_tensors(each, Tensor) for each in arguments)
