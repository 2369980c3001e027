"""Runs a student's unbroadcast on one gradient."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NotRequired, TypedDict

import numpy as np

from autograder.tasks.calling import Caller, Earlier, called
from vjpcheck.ask.answers import blank
from vjpcheck.ask.protocol import Array, Request, schema_of
from vjpcheck.errors import StudentError, WrongReturn, kind
from vjpcheck.probe.callers_world import Changes


class Summed(TypedDict):
    """What came back, what the call has changed, and whether the result of an earlier call has."""

    value: np.ndarray
    changes: Changes
    overwrites: bool
    error: NotRequired[StudentError]


class Probe(Caller):
    """Calls a student's function."""

    def __init__(self, work: Any, name: str) -> None:
        super().__init__(work, name)
        self._earlier = Earlier(partial(_array, name=name))

    def run(self, gradient: np.ndarray, shape: Sequence[int], by_columns: bool) -> Summed:
        """Call the function; a gradient without axes is given as a number of NumPy's."""
        given: Any = np.array(gradient, order="F" if by_columns else "C") if gradient.ndim else gradient[()]
        answer = blank(Summed)
        with called(answer, self._name, gradient=given):
            returned = self._work(given, tuple(shape))
            answer["value"] = _array(returned, self._name)
            answer["overwrites"] = self._earlier.overwritten_by(returned)
        return answer


def _array(returned: Any, name: str) -> np.ndarray:
    value = returned
    if not isinstance(returned, (np.ndarray, np.generic, int, float)):
        value = np.asarray(returned) if hasattr(returned, "__array__") else None
    if value is None or np.asarray(value).dtype.kind not in "fiu":
        raise WrongReturn(f"{name} must return an array or a number, but returns {kind(returned)}.")
    return np.array(value, np.float64)


def run(gradient: np.ndarray, shape: Sequence[int], by_columns: bool = False) -> Request[Summed]:
    """Ask for the sum of a gradient, laid out by rows or by columns, to a shape."""
    return Request("run", (gradient, shape, by_columns), schema_of(Summed, value=Array(dtype="float64")))
