"""Watches a student's forward and backward for calls of native autograd while they run.

All that the watch calls is taken when this module is imported, before any student's code runs.
"""

from __future__ import annotations

import _thread
import sys
import threading
from _lsprof import Profiler
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
_start_thread = _thread.start_new_thread
_THREADING = threading.__file__


@contextmanager
def watching(lines: list[str], lists: list[str], evasions: list[str]) -> Iterator[None]:
    """Add to `lines` the student's own line of every call of native autograd that the block makes.

    Being called by autograd is not calling it: only what the block itself calls is seen, in this thread and
    in those that `threading` starts. Lines that call apply of a Function with tensors inside a list are added
    to `lists`, and to `evasions` what takes the watch off, in words.
    """
    ended = False

    def notice(frame: FrameType, event: str, argument: Any) -> None:
        if ended:
            return
        if event == "c_call":
            if getattr(argument, "__name__", "") == "run_backward":
                lines.append(students_line(frame))
            elif argument is _setprofile or isinstance(getattr(argument, "__self__", None), Profiler):
                evasions.append(
                    _with_line("the profile function, which watches for native autograd, is set", frame)
                )
            elif argument is _start_thread and frame.f_code.co_filename != _THREADING:
                evasions.append(_with_line("a thread is started that nothing can watch", frame))
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
    returned = False
    try:
        yield
        returned = True
    finally:
        ended = True
        # Python takes a profile function off that raises, as all do where the stack is full
        if returned and _getprofile() is not notice and not evasions:
            evasions.append(
                "the profile function, which watches for native autograd, is another one afterwards"
            )
        _setprofile(None)
        _follow(followed)


def _with_line(what: str, frame: FrameType) -> str:
    where = students_line(frame)
    return f"{what} ({where})" if where else what
