"""What the probes of the tasks have in common: the student's function, and what came back from it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from types import CodeType
from typing import Any, ClassVar, NotRequired, TypedDict

import numpy as np

from autograder.tasks.watching import noticing
from vjpcheck.ask.answers import blank
from vjpcheck.ask.protocol import UnlessRaised
from vjpcheck.errors import StudentError, student_errors
from vjpcheck.probe.callers_world import Changes, watched
from vjpcheck.result import CannotRun


class Answered(TypedDict):
    """What a call of the student's function gave, and what else it did.

    `values` are the arrays that came back, by name; `facts` is what a task counts; `changes` has what is not
    as it was before the call, `handed_over` what has done the work in the student's place, and `overwrites`
    says whether the result of an earlier call has changed.
    """

    values: UnlessRaised[dict[str, np.ndarray | None]]
    facts: dict[str, float]
    changes: Changes
    handed_over: list[str]
    overwrites: bool
    error: NotRequired[StudentError]


class FunctionProbe:
    """Calls a student's function; raises CannotRun if it cannot be called.

    Each task says in a subclass what it is called with and how to read what it returns.
    """

    ready: ClassVar[dict[CodeType, str]] = {}  # functions that would do the work in the student's place

    def __init__(self, work: Any, name: str) -> None:
        if not callable(work):
            raise CannotRun(f"{name} must be a function, but it is of type {type(work).__name__}.")
        self._work: Callable[..., Any] = work
        self._name = name
        self._earlier = Earlier(self.read)

    def arguments(self, *given: Any) -> tuple[Sequence[Any], dict[str, Any]]:
        """Return what the function is called with, and by name what of it must stay as it is."""
        raise NotImplementedError

    def read(self, returned: Any) -> dict[str, np.ndarray | None]:
        """Return the values by name; raises WrongReturn where something else was returned."""
        raise NotImplementedError

    def watching(self, answer: Answered) -> AbstractContextManager[None]:
        """Note in the answer what the call hands over, and what the task counts besides."""
        return noticing(self.ready, answer["handed_over"])

    def run(self, *given: Any) -> Answered:
        """Call the function."""
        answer, (arguments, kept) = blank(Answered), self.arguments(*given)
        with called(answer, self._name, **kept):
            with self.watching(answer):
                returned = self._work(*arguments)
            answer["values"] = self.read(returned)
            answer["overwrites"] = self._earlier.overwritten_by(returned)
        return answer


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
