"""Calls the student's function for the probes of the tasks, and records its results and side effects."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from types import CodeType
from typing import Any, ClassVar, NotRequired, TypedDict

import numpy as np

from autograder.tasks.watch import noticing
from vjpcheck.ask.answers import blank
from vjpcheck.ask.protocol import UnlessRaised
from vjpcheck.errors import StudentError, student_errors
from vjpcheck.probe.callers_world import Changes, watched
from vjpcheck.result import CannotRun


class Answer(TypedDict):
    """The results of a call of the student's function, and its side effects.

    `values` are the returned arrays, by name; `facts` are a task's counts; `changes` names what the call has
    changed, `handed_over` the functions that have done the work in the student's place, and `overwrites` is
    true if the result of an earlier call has changed.
    """

    values: UnlessRaised[dict[str, np.ndarray | None]]
    facts: dict[str, float]
    changes: Changes
    handed_over: list[str]
    overwrites: bool
    error: NotRequired[StudentError]


class FunctionProbe:
    """Calls a student's function; raises CannotRun if it cannot be called.

    Each task defines in a subclass the arguments of the call and how to read the result.
    """

    forbidden: ClassVar[dict[CodeType, str]] = {}  # functions that would do the work in the student's place

    def __init__(self, work: Any, name: str) -> None:
        if not callable(work):
            raise CannotRun(f"{name} must be a function, but it is of type {type(work).__name__}.")
        self._work: Callable[..., Any] = work
        self._name = name
        self._earlier = EarlierResults(self.read)

    def arguments(self, *request: Any) -> tuple[Sequence[Any], dict[str, Any]]:
        """Return the arguments of the call, and by name those that the call must not change."""
        raise NotImplementedError

    def read(self, returned: Any) -> dict[str, np.ndarray | None]:
        """Return the values by name; raises WrongReturn for a result of another kind."""
        raise NotImplementedError

    def watching(self, answer: Answer) -> AbstractContextManager[None]:
        """Record in the answer the forbidden functions that the block calls, and the task's own counts."""
        return noticing(self.forbidden, answer["handed_over"])

    def run(self, *request: Any) -> Answer:
        """Call the function."""
        answer, (arguments, objects) = blank(Answer), self.arguments(*request)
        with called(answer, self._name, **objects):
            with self.watching(answer):
                returned = self._work(*arguments)
            answer["values"] = self.read(returned)
            answer["overwrites"] = self._earlier.overwritten_by(returned)
        return answer


def number(value: Any) -> float | None:
    """Return a student's value as a number; None if it is a text or no number."""
    if isinstance(value, (bool, str, bytes)):
        return None
    try:
        return float(value.item() if hasattr(value, "item") else value)
    except Exception:  # the type of the value raised an error of its own, so it is not a number
        return None


@contextmanager
def called(answer: Any, name: str, **things: Any) -> Iterator[None]:
    """Run a call of the student's code in the block, and record its exception and its changes in the answer.

    The exception goes into `answer["error"]`, with `name` as its subject. Changes of the `things` and of
    torch's settings go into `answer["changes"]`.
    """
    with student_errors(answer, name), watched(answer["changes"], **things):
        yield


class EarlierResults:
    """The results of the calls so far, each with its values at the last comparison.

    `read` returns the values of a result: an array or a number, or a list or a dict of them.
    """

    def __init__(self, read: Callable[[Any], Any]) -> None:
        self._read = read
        self._results: list[tuple[Any, Any]] = []

    def overwritten_by(self, returned: Any) -> bool:
        """Return whether this call has changed an earlier result, and record its own result."""
        past = [(result, _bits(self._read(result)), bits) for result, bits in self._results]
        self._results = [*((result, now) for result, now, _ in past), (returned, _bits(self._read(returned)))]
        return any(now != before for _, now, before in past)


def _bits(values: Any) -> Any:
    if isinstance(values, Mapping):
        return {name: _bits(value) for name, value in values.items()}
    return [*map(_bits, values)] if isinstance(values, list) else np.asarray(values).tobytes()
