"""Runs a student's unbroadcast on one gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

import numpy as np

from autograder.errors import StudentError, WrongReturn, student_errors
from autograder.protocol import Array, Request, schema_of
from autograder.tasks.calling import kind, require_callable


class Summed(TypedDict):
    """What came back, and whether the gradient given was written to."""

    value: np.ndarray
    changed: bool
    error: NotRequired[StudentError]


class Probe:
    """Holds a student's function; raises CannotRun if it cannot be called."""

    def __init__(self, work: Any, name: str) -> None:
        self._work = require_callable(work, name)
        self._name = name

    def run(self, gradient: np.ndarray, shape: Sequence[int]) -> Summed:
        """Call the function; a gradient without axes is given as a number of NumPy's."""
        given: Any = gradient.copy() if gradient.ndim else np.float64(gradient)
        answer: Summed = {"value": np.zeros(0), "changed": False}
        with student_errors(answer, self._name):
            answer["value"] = _array(self._work(given, tuple(shape)), self._name)
            answer["changed"] = not np.array_equal(given, gradient)
        return answer


def _array(returned: Any, name: str) -> np.ndarray:
    value = returned
    if not isinstance(returned, (np.ndarray, np.generic, int, float)):
        value = np.asarray(returned) if hasattr(returned, "__array__") else None
    if value is None or np.asarray(value).dtype.kind not in "fiu":
        raise WrongReturn(f"{name} must return an array or a number, and returns {kind(returned)}.")
    return np.array(value, np.float64)


def run(gradient: np.ndarray, shape: Sequence[int]) -> Request[Summed]:
    """Ask for the sum of a gradient to a shape."""
    return Request("run", (gradient, shape), schema_of(Summed, value=Array(dtype="float64")))
