"""Watches a student's forward and backward for calls of native autograd while they run.

All that the watch calls is taken when this module is imported, before any student's code runs.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function, forward_ad

from autograder.errors import students_line
from autograder.function.conversion import holds_tensors

# whatever is called from Python goes through one of these; the engine, which calls backward, is in C++
_ENTRANCES = {
    function.__code__
    for function in (torch.autograd.grad, torch.autograd.backward, forward_ad.enter_dual_level)
}
_APPLY = Function.apply.__func__.__code__  # type: ignore[attr-defined]
_getprofile, _setprofile, _follow, _followed = (
    sys.getprofile,
    sys.setprofile,
    threading.setprofile,
    threading.getprofile,
)


@contextmanager
def watching(lines: list[str], lists: list[str]) -> Iterator[None]:
    """Add to `lines` the student's own line of every call of native autograd that the block makes.

    Being called by autograd is not calling it: only what the block itself calls is seen, in this thread and
    in those that `threading` starts. Lines that call apply of a Function with tensors inside a list are added
    to `lists`.
    """
    ended = False

    def notice(frame: FrameType, event: str, argument: Any) -> None:
        if ended:
            return
        if event == "c_call":
            if getattr(argument, "__name__", "") == "run_backward":
                lines.append(students_line(frame))
        elif event == "call":
            if frame.f_code in _ENTRANCES:
                lines.append(students_line(frame))
            elif frame.f_code is _APPLY and any(
                holds_tensors(given, Tensor) for given in frame.f_locals["args"]
            ):
                lists.append(students_line(frame))

    if _getprofile() is not None:  # somebody profiles the check itself, and cannot be put back
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
