"""What the probes of the tasks have in common: the student's function, and what came back from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from vjpcheck.errors import student_errors
from vjpcheck.probe.callers_world import watched
from vjpcheck.result import CannotRun


class Caller:
    """Holds a student's function; raises CannotRun if it cannot be called."""

    def __init__(self, work: Any, name: str) -> None:
        if not callable(work):
            raise CannotRun(f"{name} must be a function, but it is of type {type(work).__name__}.")
        self._work: Callable[..., Any] = work
        self._name = name


def number(value: Any) -> float | None:
    """Return the number that a student's value is; None if it is none, or a text."""
    if isinstance(value, (bool, str, bytes)):
        return None
    try:
        return float(value.item() if hasattr(value, "item") else value)
    except Exception:  # the type of the value raised an error of its own, so it is not a number
        return None


@contextmanager
def called(answer: Any, name: str, **things: Any) -> Iterator[None]:
    """Run a call of the student's code in the block: what it raises and what it changes go into the answer.

    An exception goes into `answer["error"]`, told of `name`; what is not as it was, of the `things` and of
    torch's settings, goes into `answer["changes"]`.
    """
    with student_errors(answer, name), watched(answer["changes"], **things):
        yield


class Earlier:
    """The results of the calls so far, each with the values that it held when it was looked at last.

    `read` gives the values of a result: an array or a number, or a list or a dict of them.
    """

    def __init__(self, read: Callable[[Any], Any]) -> None:
        self._read = read
        self._results: list[tuple[Any, Any]] = []

    def overwritten_by(self, returned: Any) -> bool:
        """Return whether this call has changed an earlier result, and keep what it has returned."""
        seen = [(result, _bits(self._read(result)), bits) for result, bits in self._results]
        self._results = [*((result, now) for result, now, _ in seen), (returned, _bits(self._read(returned)))]
        return any(now != before for _, now, before in seen)


def _bits(values: Any) -> Any:
    if isinstance(values, Mapping):
        return {name: _bits(value) for name, value in values.items()}
    return [*map(_bits, values)] if isinstance(values, list) else np.asarray(values).tobytes()
