"""Watches a call of the student's code for forbidden functions, for recursion, and for its length.

Runs in the student's process: it has names of functions, and no right answer.
"""

import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

from vjpcheck.errors import is_students

_gettrace, _settrace = sys.gettrace, sys.settrace
_getprofile, _setprofile, _follow, _followed = (
    sys.getprofile,
    sys.setprofile,
    threading.setprofile,
    threading.getprofile,
)
EVASION = "sys.setprofile"


def codes_of(functions: Iterable[Any]) -> dict[CodeType, str]:
    """Return the code of each function, also under decorators, with the function's name."""
    codes: dict[CodeType, str] = {}
    for function in functions:
        name = function.__name__
        while function is not None:
            code = getattr(function, "__code__", None)
            if isinstance(code, CodeType):
                codes[code] = name
            function = getattr(function, "__wrapped__", None)
    return codes


@contextmanager
def noticing(codes: dict[CodeType, str], called: list[str]) -> Iterator[None]:
    """Add to `called` the name of each of these functions that the block calls, in any thread.

    If the block removes the profiler, `sys.setprofile` is added instead.
    """

    def notice(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in codes and codes[frame.f_code] not in called:
            called.append(codes[frame.f_code])

    with _profiled(notice, called):
        yield


@contextmanager
def counting_depth(deepest: list[int]) -> Iterator[None]:
    """Add to `deepest` the largest number of frames that one function of the student had at once."""
    depth: Counter[CodeType] = Counter()
    most = 0

    def notice(frame: FrameType, event: str, _: Any) -> None:
        nonlocal most
        if event == "call" and is_students(frame):
            depth[frame.f_code] += 1
            most = max(most, depth[frame.f_code])
        elif event == "return":
            depth[frame.f_code] -= 1

    with _profiled(notice, []):
        yield
    deepest.append(most)


class TooManyLines(Exception):  # noqa: N818 - an interruption, reported as a finding
    """The student's code has run more lines than it may."""


@contextmanager
def counting_lines(counted: list[int], at_most: int) -> Iterator[None]:
    """Add to `counted` how many lines of the student's code run, calls included; stop it after `at_most`.

    Each turn of a loop counts, also of one that is written in a line. The types of the numbers do not matter,
    because the student's code may convert them.
    """
    count = 0

    def follow(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if not is_students(frame):
            return None
        count += event in ("line", "call")
        if count > at_most:
            raise TooManyLines
        return follow

    tracer = _gettrace()
    _settrace(follow)
    try:
        yield
    finally:
        _settrace(tracer)
        counted.append(count)


@contextmanager
def _profiled(notice: Any, evasions: list[str]) -> Iterator[None]:
    profiler, followed = _getprofile(), _followed()
    _follow(notice)
    _setprofile(notice)
    try:
        yield
        if _getprofile() is not notice:
            evasions.append(EVASION)
    finally:
        _setprofile(profiler)
        _follow(followed)
